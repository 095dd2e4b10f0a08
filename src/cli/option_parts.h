// Options that several commands have.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace plait {

extern const CLI::Validator kPositive;

void add_color(CLI::App& app, ColorMode& mode);
/// --check, --ignore
void add_kinds_checked(CLI::App& group, CheckOptions& o);
/// Time, memory, runs, jobs.
void add_common_limits(CLI::App& group, CheckOptions& o);
/// Where results go, and how they look.
void add_output(CLI::App& group, CheckOptions& o);

}  // namespace plait
