// plait.toml: defaults for the options of `plait check`. Table [check]; each key is the long name of an option.
//
//   [check]
//   timeout = 60
//   cflags = ["-O2", "-Iinclude"]    # or one string
//   keep-going = true
//
// The command line wins over the file.
#pragma once
#include <string>
#include <vector>

#include "cli/app_model.h"

namespace plait {

/// The nearest plait.toml, in this directory or above it; empty if there is none.
std::string find_config();

/// The file's options as words of a command line ("--timeout=60"), but for those that `given` has. Throws Error (usage)
/// that names file and line for what is no TOML, no option, or no value for it.
std::vector<std::string> config_words(const std::string& file, const CommandModel& check,
                                      const std::vector<std::string>& given);

}  // namespace plait
