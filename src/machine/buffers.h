// Store buffers (TSO, PSO): which operations use them, and in which order stores leave them. The meaning stands in
// docs/memory-models.md. Whoever keeps buffers (the runtime, the engine's states) keeps the stores of a thread in
// program order, or in an order that these rules cannot tell from it.
#pragma once
#include "machine/operation.h"

namespace plait::machine {

/// Stores that a buffer can hold (processors: 30 to 70). One more waits until there is room.
inline constexpr u32 kBufferedStores = 32;

/// Is this a store that waits in a buffer? It is no step that others could notice.
constexpr bool is_buffered(MemoryModel model, Op op, Order order) {
  return model != MemoryModel::Sc && op == Op::Store && order != Order::SeqCst;
}

/// Operations that can be performed only when the thread's buffer is empty.
constexpr bool drains(Op op, Order order) {
  return traits(op).drains || ((op == Op::Store || op == Op::Fence) && order == Order::SeqCst);
}

/// Does a barrier stand before this operation: must all stores so far reach memory before any later one (itself
/// included)?
constexpr bool is_barrier(MemoryModel model, Op op, Order order) {
  return model == MemoryModel::Pso && (op == Op::Store || op == Op::Fence) &&
         (order == Order::Release || order == Order::AcqRel);
}

/// Can the store at `index` leave the buffer? overlaps(i): does an older one use some of its bytes; barrier(i): does a
/// barrier stand before i?
template <class Overlaps, class Barrier>
bool can_flush(MemoryModel model, u32 index, Overlaps overlaps, Barrier barrier) {
  if (model == MemoryModel::Tso) return index == 0;
  for (u32 i = 0; i < index; ++i)
    if (overlaps(i) || barrier(i + 1)) return false;
  return true;
}

/// Which draining operations and barriers change anything: those of a thread that has stored since the last one. What a
/// thread has done decides it, not what its buffer holds, so it is the same in all runs with the same history. Others
/// leave no event.
struct PendingStores {
  bool any = false;        // since the last draining operation
  bool unordered = false;  // since the last barrier
  void store() { any = unordered = true; }
  void drain() { any = unordered = false; }
  /// Notes a fence; true if it matters.
  bool fence(MemoryModel model, Order order) {
    if (order == Order::SeqCst) {
      const bool matters = any;
      drain();
      return matters;
    }
    if (!is_barrier(model, Op::Fence, order)) return false;
    const bool matters = unordered;
    unordered = false;
    return matters;
  }
};

}  // namespace plait::machine
