#include "base/memory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace plait {

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

namespace {

/// `ulimit -f` is about files that stay; the kernel also applies it to memory that two processes share.
class NoFileSizeLimit {
 public:
  NoFileSizeLimit() {
    if (getrlimit(RLIMIT_FSIZE, &before_) != 0 || before_.rlim_cur == RLIM_INFINITY) return;
    for (const rlim_t hard : {rlim_t{RLIM_INFINITY}, before_.rlim_max}) {  // the first only for the privileged
      const rlimit wanted = {hard, hard};
      if ((raised_ = setrlimit(RLIMIT_FSIZE, &wanted) == 0)) break;
    }
  }
  ~NoFileSizeLimit() {
    if (raised_) setrlimit(RLIMIT_FSIZE, &before_);
  }
  NoFileSizeLimit(const NoFileSizeLimit&) = delete;
  NoFileSizeLimit& operator=(const NoFileSizeLimit&) = delete;

 private:
  rlimit before_{};
  bool raised_ = false;
};

const char* remedy(int error) {
  if (error == EMFILE || error == ENFILE) return " (too few descriptors are allowed: ulimit -n)";
  if (error == EFBIG) return " (files must be small here: ulimit -f)";
  if (error == ENOMEM) return " (too little memory is allowed: ulimit -v)";
  return "";
}

}  // namespace

Descriptor make_memory_file(const char* name, size_t size) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  const NoFileSizeLimit unlimited;
  if (!file.valid() || ftruncate(file.number(), static_cast<off_t>(size)) != 0) {
    const int error = errno;
    throw Error(kExitUsage,
                fmt::format("cannot create shared memory '{}': {}{}", name, std::strerror(error), remedy(error)));
  }
  return file;
}

Descriptor reopen_for_reading(int descriptor) {
  return Descriptor(open(fmt::format("/proc/self/fd/{}", descriptor).c_str(), O_RDONLY | O_CLOEXEC));
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[65536];
  for (;;) {
    ssize_t n = read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
}

SharedMemory::SharedMemory(const char* name, size_t size) : file_(make_memory_file(name, size)), size_(size) {
  void* at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_.number(), 0);
  if (at == MAP_FAILED)
    throw Error(kExitUsage,
                fmt::format("cannot map shared memory '{}': {}{}", name, std::strerror(errno), remedy(errno)));
  data_ = static_cast<std::byte*>(at);
}

void SharedMemory::clear(size_t offset, size_t size) {
  if (fallocate(file_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                static_cast<off_t>(size)) != 0)
    std::memset(data_ + offset, 0, size);
}

SharedMemory::~SharedMemory() {
  if (data_) munmap(data_, size_);
}

}  // namespace plait
