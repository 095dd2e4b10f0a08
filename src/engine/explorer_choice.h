// Which explorer a program gets.
#pragma once
#include "engine/check_options.h"
#include "run/program.h"

namespace plait {

/// The one that was asked for, but inputs are explored in rounds, by values: paths are followed for given ones. Throws
/// Error (usage) if the program is not compiled for it.
const ExplorerInfo& explorer_for(const CheckOptions& options, const Program& program);

}  // namespace plait
