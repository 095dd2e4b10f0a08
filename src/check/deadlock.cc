#include "check/deadlock.h"

namespace plait {
namespace {

const Event* of_thread(std::span<const Event> pending, u64 thread) {
  for (const Event& event : pending)
    if (event.thread == thread) return &event;
  return nullptr;
}

/// The cycle that is reached from `start` by following who waits for whom; empty when the chain ends.
std::vector<Event> cycle_from(std::span<const Event> pending, const Event& start) {
  const Event* at = &start;
  for (size_t i = 0; i <= pending.size() && at; ++i) at = of_thread(pending, at->value);
  if (!at) return {};
  std::vector<Event> cycle;  // after so many steps we are in it
  const Event* first = at;
  do {
    cycle.push_back(*at);
    at = of_thread(pending, at->value);
  } while (at != first);
  return cycle;
}

}  // namespace

std::span<const Event> pending_operations(std::span<const Event> events) {
  size_t first = events.size();
  while (first > 0 && (events[first - 1].flags & event_flag::kPending)) --first;
  return events.subspan(first);
}

bool is_blocked(const Event& pending) {
  if (pending.value < kMaxThreads) return true;
  switch (pending.op) {
    case Op::CondWake:
    case Op::SemWait:
    case Op::BarrierLeave:
    case Op::FutexWake: return true;  // waits for no thread in particular
    default: return false;
  }
}

std::vector<Event> deadlock_core(std::span<const Event> events) {
  std::span<const Event> pending = pending_operations(events);
  std::vector<Event> blocked;
  for (const Event& event : pending) {
    if (!is_blocked(event)) continue;
    if (std::vector<Event> cycle = cycle_from(pending, event); !cycle.empty()) return cycle;
    blocked.push_back(event);
  }
  return blocked;
}

}  // namespace plait
