// Runs `plait check` on one sweep program and says where it disagrees with the enumerator.
#pragma once
#include <string>

#include "enumerator.h"
#include "program.h"

namespace sweep {

struct Tools {
  std::string plait;             // the command
  std::string interpreter;       // interp.c, compiled by `plait cc`
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
/// A known gap: when the first run ends in a deadlock, its trace may leave out what a thread was about to do (a thread that blocks for ever on
/// an object that it alone uses, say), and the cumulative search has nowhere to start from. The deadlock is reported, but no
/// state is visited: histories and races are then not compared, and *no_search is set.
std::string difference(const Tools& tools, const Program& program, const Enumeration& truth, Mode mode, bool* no_search = nullptr);

}  // namespace sweep
