// plait man [COMMAND]: manual pages, made from the options table.
#pragma once
#include <string>

#include "cli/app_model.h"

namespace plait {

/// Page of "plait" (empty name) or of one of its commands: plait-check(1). Throws Error (usage) for another name.
std::string man_page(const CommandModel& plait, const std::string& command, const std::string& version);

}  // namespace plait
