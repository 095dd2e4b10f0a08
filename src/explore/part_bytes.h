// How parts are written: plain values one after the other, and blocks with their size in front. What is read may come
// from anywhere; reading beyond the end throws std::runtime_error.
#pragma once
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "trace/types.h"

namespace plait {

class PartWriter {
 public:
  template <class T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void list(std::span<const T> list) {
    static_assert(std::is_trivially_copyable_v<T>);
    value(static_cast<u32>(list.size()));
    bytes_.append(reinterpret_cast<const char*>(list.data()), list.size_bytes());
  }
  void block(std::string_view block) { list(std::span(block.data(), block.size())); }
  bool empty() const { return bytes_.empty(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class PartReader {
 public:
  explicit PartReader(std::string_view bytes) : bytes_(bytes) {}
  bool at_end() const { return bytes_.empty(); }
  template <class T>
  T value() {
    T value;
    const std::string_view from = next(sizeof value);
    std::memcpy(static_cast<void*>(&value), from.data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> list() {
    const u32 size = value<u32>();
    if (size > bytes_.size() / sizeof(T)) throw std::runtime_error("a part is cut off");
    const std::string_view from = next(size * sizeof(T));
    std::vector<T> list(size);
    if (size) std::memcpy(static_cast<void*>(list.data()), from.data(), from.size());
    return list;
  }
  std::string block() {
    const std::vector<char> bytes = list<char>();
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::string_view next(size_t size) {
    if (size > bytes_.size()) throw std::runtime_error("a part is cut off");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view bytes_;
};

}  // namespace plait
