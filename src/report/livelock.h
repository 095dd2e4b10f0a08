// A livelock as the loop that each thread goes round in.
#pragma once
#include <string>
#include <vector>

#include "report/bug.h"

namespace plait {

/// For each thread that goes round, a sentence: "T1 goes round: write a = 0 (f.cc:12), read b = 1 (f.cc:13)".
std::vector<std::string> loops(const Bug&);

}  // namespace plait
