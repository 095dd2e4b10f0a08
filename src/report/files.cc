#include "report/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/memory.h"

namespace plait {
namespace {

namespace fs = std::filesystem;

/// N of "bug-N.json" for prefix "bug-"; 0 for other names.
size_t result_number(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(".json")) return 0;
  std::string digits = name.substr(prefix.size(), name.size() - prefix.size() - 5);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
  return std::stoul(digits);
}

}  // namespace

void prepare_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw Error(kExitUsage, fmt::format("cannot create the output directory '{}': {}", directory, error.message()));
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw Error(kExitUsage,
                fmt::format("cannot write to the output directory '{}': {}", directory, std::strerror(errno)));
}

OutputDirectory::OutputDirectory(const std::string& wanted) {
  constexpr int kMost = 1000;
  for (int number = 1; number <= kMost; ++number) {
    name_ = number == 1 ? wanted : fmt::format("{}-{}", wanted, number);
    prepare_directory(name_);
    lock_ = Descriptor(open(name_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A file system without locks is as good as one where nobody has locked it.
    if (!lock_.valid() || flock(lock_.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  }
  throw Error(kExitUsage, fmt::format("'{}' and {} more like it are in use by other checks: give another directory "
                                      "with -o",
                                      wanted, kMost - 1));
}

void write_file(const std::string& path, const std::string& text) {
  std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  auto fail = [&](int error) {
    unlink(temporary.c_str());
    throw Error(kExitUsage,
                fmt::format("cannot write '{}': {} (choose another place with -o)", path, std::strerror(error)));
  };
  if (!file.valid()) fail(errno);
  size_t written = 0;
  while (written < text.size()) {
    ssize_t n = write(file.number(), text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(n < 0 ? errno : ENOSPC);
    written += static_cast<size_t>(n);
  }
  // Some file systems tell about a full disk only here.
  if (fsync(file.number()) != 0 && errno != EINVAL) fail(errno);
  if (rename(temporary.c_str(), path.c_str()) != 0) fail(errno);
}

void remove_stale_results(const std::string& directory, size_t bugs, size_t outcomes, size_t tests) {
  std::error_code error;
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    std::string name = entry.path().filename().string();
    if (result_number(name, "bug-") > bugs || result_number(name, "outcome-") > outcomes ||
        result_number(name, "test-") > tests)
      stale.push_back(entry.path());
  }
  for (const fs::path& path : stale) fs::remove(path, error);
}

}  // namespace plait
