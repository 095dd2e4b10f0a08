// An inconclusive answer is an answer, too: what to do next, by what was in the way.
#pragma once
#include <string>
#include <vector>

#include "report/result.h"

namespace plait {

/// A line each, most useful first, without duplicates; empty for answers that need none.
std::vector<std::string> next_steps(const CheckResult&);

}  // namespace plait
