#include "host/program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string_view>

#include "host/error.h"
#include "trace/types.h"

namespace plait {
namespace {

// Left in every object by the instrumentation pass (section .note.plait).
constexpr std::string_view kMarker = "plait-instrumented v";
constexpr char kMarkerVersion = '1';

}  // namespace

void require_instrumented(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) throw Error(kExitUsage, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  struct stat info;
  if (fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode))
    throw Error(kExitUsage, fmt::format("'{}' is not a file: give a program or source files", path));
  size_t size = static_cast<size_t>(info.st_size);
  void* at = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0) : MAP_FAILED;
  std::string_view content(at == MAP_FAILED ? "" : static_cast<const char*>(at), at == MAP_FAILED ? 0 : size);
  bool elf = content.starts_with("\177ELF");
  const void* found = elf ? memmem(content.data(), content.size(), kMarker.data(), kMarker.size()) : nullptr;
  size_t after = found ? static_cast<size_t>(static_cast<const char*>(found) - content.data()) + kMarker.size() : 0;
  char version = found && after < content.size() ? content[after] : '?';
  if (at != MAP_FAILED) munmap(at, size);

  if (!elf) throw Error(kExitUsage, fmt::format("'{}' is neither a program nor a C or C++ source file", path));
  if (!found)
    throw Error(
        kExitUsage,
        fmt::format("'{}' is not an instrumented program: compile and link it with 'plait c++' or 'plait cc'", path));
  if (version != kMarkerVersion)
    throw Error(kExitUsage, fmt::format("'{}' was compiled by another version of Plait: compile it again", path));
  if (access(path.c_str(), X_OK) != 0)
    throw Error(kExitUsage, fmt::format("cannot execute '{}': {}", path, std::strerror(errno)));
}

std::string program_identity(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return "";
  // FNV-1a over words: quick enough for a few megabytes, and nothing to link.
  u64 hash = 0xcbf29ce484222325;
  const std::string content = read_all(file.number());
  for (size_t i = 0; i < content.size(); i += 8) {
    u64 word = 0;
    std::memcpy(&word, content.data() + i, std::min<size_t>(8, content.size() - i));
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  return fmt::format("{:016x}", hash ^ content.size());
}

Descriptor open_input(const Program& program) {
  const char* path = program.input_path.empty() ? "/dev/null" : program.input_path.c_str();
  Descriptor input(open(path, O_RDONLY | O_CLOEXEC));
  if (!input.valid())
    throw Error(kExitUsage, fmt::format("cannot read the program's input '{}': {}", path, std::strerror(errno)));
  return input;
}

std::string redirected_input() {
  struct stat info;
  if (fstat(0, &info) != 0 || !S_ISREG(info.st_mode)) return "";
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/fd/0", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : "";
}

}  // namespace plait
