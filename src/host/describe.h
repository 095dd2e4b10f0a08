// Asks an instrumented program for its tables (sites, global variables, arenas): the text that report/program_map.h
// reads.
#pragma once
#include <string>

#include "host/program.h"

namespace plait {

/// Throws Error when the program does not answer.
std::string describe(const Program&);

}  // namespace plait
