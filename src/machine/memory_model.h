// Memory models. A model is a value: its rules. Whoever runs or predicts a program is handed one and asks it; nobody
// compares with a particular model. The meaning stands in docs/memory-models.md, the steps in memory_step.h.
//
// Whoever keeps buffers (the runtime, the engine's states) keeps the stores of a thread in program order, or in an
// order that these rules cannot tell from it.
#pragma once
#include "machine/operation.h"

namespace plait::machine {

/// Stores that a buffer can hold in any model (processors: 30 to 70).
inline constexpr u32 kMostBuffered = 32;

struct MemoryRules {
  MemoryModel name = MemoryModel::Sc;
  bool buffers = false;     // stores wait in buffers of their threads. A buffer takes steps of its own: flushes
  bool in_order = true;     // only the oldest store of a buffer can leave it
  bool barriers = false;    // release stores and release fences keep the stores before them from those after them
  u8 room = kMostBuffered;  // stores that a buffer can hold. One more waits until there is room

  /// Is this a store that waits in a buffer? It is no step that others could notice.
  constexpr bool is_buffered(Op op, Order order) const { return buffers && op == Op::Store && order != Order::SeqCst; }
  /// Operations that can be performed only when the thread's buffer is empty.
  constexpr bool drains(Op op, Order order) const {
    return buffers && (traits(op).drains || ((op == Op::Store || op == Op::Fence) && order == Order::SeqCst));
  }
  /// Does a barrier stand before this operation: must all stores so far reach memory before any later one (itself
  /// included)?
  constexpr bool is_barrier(Op op, Order order) const {
    return barriers && (op == Op::Store || op == Op::Fence) && (order == Order::Release || order == Order::AcqRel);
  }
  /// Must the older of two stores of a thread leave the buffer before the younger one? `overlap`: they share bytes;
  /// `barrier`: one stands between them.
  constexpr bool leaves_first(bool overlap, bool barrier) const { return in_order || overlap || barrier; }

  /// Numbers of those who can step: threads, and behind them their buffers.
  constexpr u32 most_threads() const { return buffers ? kFirstBuffer : kMaxThreads; }
  constexpr bool is_buffer(ThreadId actor) const { return buffers && actor >= kFirstBuffer && actor != kNoThread; }
  /// The thread that a step belongs to: its own, or that of its buffer.
  constexpr ThreadId owner(ThreadId actor) const { return buffers ? owner_of(actor) : actor; }
  /// Who can step while `thread` is in an atomic section.
  constexpr ThreadSet actors_of(ThreadId thread) const {
    return bit(thread) | (buffers ? bit(buffer_of(thread)) : ThreadSet{0});
  }
};

inline constexpr MemoryRules kMemoryModels[] = {
    {.name = MemoryModel::Sc},
    {.name = MemoryModel::Tso, .buffers = true},
    {.name = MemoryModel::Pso, .buffers = true, .in_order = false, .barriers = true},
};

constexpr const MemoryRules& rules_of(MemoryModel model) { return kMemoryModels[static_cast<u32>(model)]; }

/// Which draining operations and barriers change anything: those of a thread that has stored since the last one. What a
/// thread has done decides it, not what its buffer holds, so it is the same in all runs with the same history. Others
/// leave no event.
struct PendingStores {
  bool any = false;        // since the last draining operation
  bool unordered = false;  // since the last barrier
  void store() { any = unordered = true; }
  void drain() { any = unordered = false; }
  /// Notes a fence; true if it matters.
  bool fence(const MemoryRules& rules, Order order) {
    if (order == Order::SeqCst) {
      const bool matters = any;
      drain();
      return matters;
    }
    if (!rules.is_barrier(Op::Fence, order)) return false;
    const bool matters = unordered;
    unordered = false;
    return matters;
  }
};

}  // namespace plait::machine
