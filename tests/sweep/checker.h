// Runs `plait check` on one sweep program and says where it disagrees with the enumerator.
#pragma once
#include <string>

#include "enumerator.h"
#include "program.h"

namespace sweep {

struct Tools {
  std::string plait;        // the command
  std::string interpreter;  // interp.c, compiled by `plait cc`
  std::string interpreter_source;
  std::string output_directory;  // for what the command writes
};

enum class Mode {
  Exhaustive,  // numbers, outcomes and deadlocks must be equal
  SleepSets,   // fewer interleavings, but the same outcomes, and a deadlock if there is one
  Cumulative,  // the same outcomes, local histories and races, and a deadlock if there is one
};

/// Empty when they agree; else what differs, for people.
///
/// A known gap of cumulative exploration, only in programs with a deadlock: a run that ends in one may not show what
/// other threads were about to do. If it is the first run, the search has nowhere to start from and visits no state;
/// later, a prediction cannot be confirmed and the answer is not complete. The deadlock is reported all the same. Of
/// such a program only the bugs are compared, and that no impossible outcome was seen; *gap is set.
std::string difference(const Tools& tools, const Program& program, const Enumeration& truth, Mode mode,
                       bool* gap = nullptr);

}  // namespace sweep
