#include "host/program.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "trace/types.h"

namespace plait {
namespace {

// Left in every object by the instrumentation pass (section .note.plait).
constexpr std::string_view kMarker = "plait-instrumented v";
constexpr char kMarkerVersion = '1';

// A file's bytes, mapped: programs have megabytes, and reading them cost more than a small check.
class MappedFile {
 public:
  explicit MappedFile(const Descriptor& file) {
    struct stat info;
    if (fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode)) return;
    regular_ = true;
    size_ = static_cast<size_t>(info.st_size);
    if (size_) at_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.number(), 0);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (at_ != MAP_FAILED) munmap(at_, size_);
  }
  bool regular() const { return regular_; }
  std::string_view content() const {
    return at_ == MAP_FAILED ? std::string_view() : std::string_view(static_cast<const char*>(at_), size_);
  }

 private:
  bool regular_ = false;
  void* at_ = MAP_FAILED;
  size_t size_ = 0;
};

}  // namespace

void require_instrumented(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) throw Error(kExitUsage, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  const MappedFile mapped(file);
  if (!mapped.regular())
    throw Error(kExitUsage, fmt::format("'{}' is not a file: give a program or source files", path));
  const std::string_view content = mapped.content();
  bool elf = content.starts_with("\177ELF");
  const void* found = elf ? memmem(content.data(), content.size(), kMarker.data(), kMarker.size()) : nullptr;
  size_t after = found ? static_cast<size_t>(static_cast<const char*>(found) - content.data()) + kMarker.size() : 0;
  char version = found && after < content.size() ? content[after] : '?';

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

namespace {

bool has_section(const std::string& path, std::string_view section) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return false;
  const MappedFile mapped(file);
  // Among the names of its sections: others do not stand between zeros.
  const std::string name = std::string(1, '\0') + std::string(section) + std::string(1, '\0');
  return memmem(mapped.content().data(), mapped.content().size(), name.data(), name.size()) != nullptr;
}

}  // namespace

bool follows_inputs(const std::string& path) { return has_section(path, "plait_followed"); }
bool takes_inputs(const std::string& path) { return has_section(path, "plait_takes_inputs"); }

std::string program_identity(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return "";
  const MappedFile mapped(file);
  return fmt::format("{:016x}", XXH3_64bits(mapped.content().data(), mapped.content().size()));
}

ProgramFile::ProgramFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_.valid()) fstat(file_.number(), &then_);
}

int ProgramFile::instead_of(const std::string& path) const {
  struct stat now;
  if (!file_.valid()) return -1;
  if (fstat(file_.number(), &now) != 0 || now.st_size != then_.st_size || now.st_mtim.tv_sec != then_.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != then_.st_mtim.tv_nsec)
    throw Error(kExitUsage, fmt::format("'{}' was changed while it was checked", path));
  const bool same = stat(path.c_str(), &now) == 0 && now.st_dev == then_.st_dev && now.st_ino == then_.st_ino;
  return same ? -1 : file_.number();
}

Launch program_launch(const Program& program) {
  Launch launch;
  launch.path = program.path;
  launch.arguments = program.arguments;
  if (program.file) launch.image = program.file->instead_of(program.path);
  if (program.environment) {
    launch.environment = *program.environment;
    launch.only = true;
  }
  return launch;
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
