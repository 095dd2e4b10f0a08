// Who is part of a deadlock. The trace of a run that ended early closes with the operations that its threads stood in
// front of (event_flag::kPending); not all of these threads were blocked, and not all that were belong to the cause.
#pragma once
#include <span>
#include <vector>

#include "trace/event.h"

namespace plait {

/// The pending events at the end of a trace.
std::span<const Event> pending_operations(std::span<const Event> events);

/// Could this pending operation not be performed? (As far as the event tells.)
bool is_blocked(const Event& pending);

/// The pending operations that make the deadlock: those of a cycle of threads that wait for each other if there is one
/// (others may still run, or wait for members of the cycle), else of all blocked threads.
std::vector<Event> deadlock_core(std::span<const Event> events);

}  // namespace plait
