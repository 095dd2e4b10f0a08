// Files in the output directory: written as a whole or not at all.
#pragma once
#include <string>

#include "base/memory.h"

namespace plait {

/// Creates the directory (and parents) if needed and checks that it can be written. Throws Error (usage).
void prepare_directory(const std::string& directory);

/// Where one check writes, and nobody else at the same time: the directory that was asked for, or, if another check is
/// using that, one with a number behind its name. Created if needed. Throws Error (usage).
class OutputDirectory {
 public:
  explicit OutputDirectory(const std::string& wanted);
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  Descriptor lock_;  // goes with the process, however that ends
};

/// Writes under a temporary name, then renames. Throws Error on a full disk and the like; the old file, if any, stays.
void write_file(const std::string& path, const std::string& text);

/// Removes bug-N.json, outcome-N.json and test-N.json files with N above the given numbers: left over from an earlier
/// check.
void remove_stale_results(const std::string& directory, size_t bugs, size_t outcomes, size_t tests);

}  // namespace plait
