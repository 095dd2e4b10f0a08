// Owners for the two kinds of resource that the host hands to workers: descriptors and shared memory.
#pragma once
#include <cstddef>
#include <string>
#include <utility>

namespace plait {

/// A file descriptor, closed when its owner goes. Always close-on-exec; process.h passes on what a child shall have.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// An anonymous file of `size` bytes; sparse until written.
Descriptor make_memory_file(const char* name, size_t size);

/// A second, independent opening (own offset) of what `descriptor` refers to, for reading.
Descriptor reopen_for_reading(int descriptor);

std::string read_all(int descriptor);

/// An anonymous file mapped as a whole.
class SharedMemory {
 public:
  SharedMemory(const char* name, size_t size);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();
  int descriptor() const { return file_.number(); }
  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  /// Zeros again, and no memory until they are written. Whole pages.
  void clear(size_t offset, size_t size);

 private:
  Descriptor file_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace plait
