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
  Cumulative,  // without merging: the same outcomes, local histories, classes and races, and a deadlock if there is one
  Merged,      // the same but for histories and classes
};

inline constexpr Mode kModes[] = {Mode::Exhaustive, Mode::SleepSets, Mode::Cumulative, Mode::Merged};

/// As --explore spells it.
const char* explorer_of(Mode mode);

/// For people: with its options.
const char* name_of(Mode mode);

/// Empty when they agree; else what differs, for people.
std::string difference(const Tools& tools, const Program& program, const Enumeration& truth, MemoryModel model,
                       Mode mode);

}  // namespace sweep
