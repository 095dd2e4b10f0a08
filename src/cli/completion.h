// plait completion bash|zsh|fish: scripts for the shells, made from the options table.
#pragma once
#include <string>

#include "cli/app_model.h"

namespace plait {

/// Throws Error (usage) for another shell.
std::string completion_script(const CommandModel& plait, const std::string& shell);

}  // namespace plait
