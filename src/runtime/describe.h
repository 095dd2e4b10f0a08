// Writes the program's tables for people (sites, variables, where arenas and stacks lie) to a file: see describe.cc for
// the format.
#pragma once

namespace plait::runtime {

void describe(const char* path);

}  // namespace plait::runtime
