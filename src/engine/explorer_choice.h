// Which explorer a program gets.
#pragma once
#include "engine/check_options.h"
#include "run/program.h"

namespace plait {

/// The one that was asked for. If none was: paths for programs that take inputs, cumulative for others. Some options
/// need rounds of values for inputs. Throws Error (usage) if the program is not compiled for it.
const ExplorerInfo& explorer_for(const CheckOptions& options, const Program& program);

}  // namespace plait
