// Does a replayed run do what was recorded?
#pragma once
#include <string>

#include "report/bug.h"

namespace plait {

enum class Likeness {
  Exact,      // the same program: every byte of every event
  Behaviour,  // compiled again: lines and addresses may have moved, what the threads do may not have
};

/// Where the runs part, in words: "diverged at event 3: expected ..., got ..."; empty when they agree.
std::string divergence(const Bug& expected, const Bug& got, Likeness);

}  // namespace plait
