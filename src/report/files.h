// Files in the output directory: written as a whole or not at all.
#pragma once
#include <string>

namespace plait {

/// Creates the directory (and parents) if needed and checks that it can be written. Throws Error (usage).
void prepare_directory(const std::string& directory);

/// Writes under a temporary name, then renames. Throws Error on a full disk and the like; the old file, if any, stays.
void write_file(const std::string& path, const std::string& text);

/// Removes bug-N.json and outcome-N.json files with N above the given numbers: left over from an earlier check.
void remove_stale_results(const std::string& directory, size_t bugs, size_t outcomes);

}  // namespace plait
