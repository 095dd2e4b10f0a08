#include "report/archive.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "report/files.h"

namespace plait {
namespace {

namespace fs = std::filesystem;

/// K of "run-K"; 0 for other names.
unsigned long run_number(const std::string& name) {
  if (!name.starts_with("run-")) return 0;
  std::string digits = name.substr(4);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
  return std::stoul(digits);
}

std::vector<unsigned long> run_numbers(const std::string& directory) {
  std::vector<unsigned long> numbers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
    if (unsigned long number = run_number(entry.path().filename().string()))
      if (entry.is_directory(error)) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw Error(kExitUsage,
              fmt::format("cannot write '{}': {} (choose another directory with --output-dir)", path.string(), why));
}

/// A new directory, even if two checks end at the same time.
fs::path claim(const std::string& directory, unsigned long number) {
  for (;; ++number) {
    fs::path path = fs::path(directory) / fmt::format("run-{}", number);
    std::error_code error;
    if (fs::create_directory(path, error)) return path;
    if (error) fail(path, error.message());
  }
}

void fill(const fs::path& run, const std::vector<std::string>& files, const std::string& result_json) {
  for (const std::string& file : files) {
    std::error_code error;
    fs::path to = run / fs::path(file).filename();
    fs::create_hard_link(file, to, error);
    if (error) {
      error.clear();
      fs::copy_file(file, to, error);  // a file system without links
    }
    if (error) fail(to, error.message());
  }
  write_file((run / "result.json").string(), result_json);
}

}  // namespace

std::string archive_run(const std::string& directory, const std::vector<std::string>& files,
                        const std::string& result_json, unsigned keep) {
  std::vector<unsigned long> old = run_numbers(directory);
  const fs::path run = claim(directory, old.empty() ? 1 : old.back() + 1);
  try {
    fill(run, files, result_json);
  } catch (const Error&) {
    std::error_code error;
    fs::remove_all(run, error);  // whole or not at all
    throw;
  }
  // Under another name first: `latest` exists at every moment.
  std::error_code error;
  fs::path fresh = fs::path(directory) / fmt::format("latest.{}.tmp", getpid()),
           latest = fs::path(directory) / "latest";
  fs::create_symlink(run.filename(), fresh, error);
  if (!error) fs::rename(fresh, latest, error);
  if (error) fail(latest, error.message());
  for (size_t i = 0; i + keep <= old.size(); ++i)
    fs::remove_all(fs::path(directory) / fmt::format("run-{}", old[i]), error);
  return run.string();
}

}  // namespace plait
