// From what the user named to a program that can be run: compiles sources, finds the standard input.
#pragma once
#include "cli/options.h"
#include "report/bug.h"

namespace plait {

/// Names the closure of plait::check that a run is about (runtime/nested_check.cc).
inline constexpr const char* kClosureVariable = "PLAIT_CHECK";

/// Throws Error; prints the compiler's diagnostics itself.
BugProgram prepare_target(const CheckOptions&);
/// By its name.
bool is_source(const std::string& file);

/// Compiles the sources of a bug file again into its program's place.
void rebuild(const BugProgram&);

}  // namespace plait
