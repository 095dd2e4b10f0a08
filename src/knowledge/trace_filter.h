// Which events of a trace count? Those on bytes that threads share, and those on none. Under TSO and PSO a draining
// operation that nobody else sees still drains: it becomes a fence.
#pragma once
#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "machine/memory_model.h"

namespace plait {

enum class Flushes : u8 { Keep, Drop };

/// Keeps account of a thread's stores, and says whether the event belongs to what the thread does. `kept`: its bytes
/// count.
bool follow_buffer(const machine::MemoryRules& memory, machine::PendingStores& stores, Event& event, bool kept);

/// Writes what counts to `kept`. counts(address, size): do threads share some of these bytes?
template <class Counts>
void filter_trace(std::span<const Event> events, const machine::MemoryRules& memory, Flushes flushes, Counts&& counts,
                  std::vector<Event>& kept) {
  kept.clear();
  // A wait is an operation on its mutex, too: either of the two makes both count.
  std::set<u64> mutexes;
  for (const Event& event : events)
    if (machine::is_wait(event.op) && counts(event.location, 1)) mutexes.insert(event.operand);
  const auto uses_shared = [&](const Event& event) {
    const bool is_block = machine::is_block(event.op);
    if (!machine::is_access(event.op) && !is_block && !machine::is_sync(event.op)) return true;
    const u64 bytes = is_block ? event.operand : std::max<u64>(event.size, 1);
    return counts(event.location, bytes) || (machine::is_wait(event.op) && counts(event.operand, 1)) ||
           mutexes.contains(event.location);
  };
  machine::PendingStores stores[kMaxThreads];
  bool keep = false;
  for (Event event : events) {
    if (event.op != Op::Extension) {  // which goes with the event before it
      keep = uses_shared(event);
      const bool is_flush = event.op == Op::Flush;  // of a buffer
      if (is_flush && flushes == Flushes::Drop) keep = false;
      if (!is_flush && memory.buffers) keep = follow_buffer(memory, stores[event.thread], event, keep);
    }
    if (keep) kept.push_back(event);
  }
}

}  // namespace plait
