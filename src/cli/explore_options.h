// The options of plait explore.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace plait {

void add_explore_options(CLI::App& app, CheckOptions& o, ExploreCommand& command);

/// Is it one that comes with Plait, and runs nothing but what it is given to read?
bool is_own_runtime(const std::vector<std::string>& command);

/// Words of the command line that do not go together; empty: none.
std::string contradiction_in(const CheckOptions& o, const ExploreCommand& command);

}  // namespace plait
