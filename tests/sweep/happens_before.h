// Data races in the sense of C++: two accesses to a variable, one of them writing, one of them not atomic, that no
// chain of synchronisation orders. A relaxed load, or a relaxed store, orders nothing: accesses on both sides of it
// race even if no state has both pending (which is what Reachable::races and Enumeration::races know of).
//
// Written from the standard with vector clocks, over all executions; states are told apart by their clocks, too. Where
// the standards differ (release sequences), or say less than POSIX (signals, failed try-locks), more is ordered.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "memory.h"
#include "program.h"

namespace sweep {

/// Does it have operations that must come behind others but learn nothing from them: relaxed accesses, the destruction
/// of a mutex? Without them the first such race of an execution has both accesses pending in some state, so that there
/// is none if no state shows one.
bool orders_without_handing_on(const Program& program);

/// The letters of the two accesses, in order. Nothing: too many states, or operations whose ordering is not known here.
std::optional<std::set<std::pair<char, char>>> unordered_accesses(const Program& program, std::uint64_t limit,
                                                                  MemoryModel model);

}  // namespace sweep
