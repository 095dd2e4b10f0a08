// When can the order of two operations of different threads matter? (Mazurkiewicz dependence.)
// Used by sleep sets and partial-order reduction. Saying "dependent" too often costs runs, never a behaviour.
#pragma once
#include "machine/operation.h"

namespace plait::machine {

struct Footprint {
  u64 begin, end;  // memory touched; empty for pure synchronisation
  bool writes;
};

constexpr Footprint footprint(const Operation& operation) {
  const Traits& t = traits(operation.op);
  switch (t.bytes) {
    case Bytes::None: return {0, 0, false};
    case Bytes::Own: return {operation.location, operation.location + operation.size, t.writes};
    case Bytes::Block: return {operation.location, operation.location + operation.span, t.writes};
    case Bytes::Word: return {operation.location, operation.location + 4, t.writes};
  }
  return {0, 0, false};
}

/// Two accesses of different threads that nothing orders: one writes, and one is not atomic.
constexpr bool is_race(const Operation& a, const Operation& b) {
  if (!is_write(a.op) && !is_write(b.op)) return false;
  if (a.order > Order::Volatile && b.order > Order::Volatile) return false;
  return a.location < b.location + b.size && b.location < a.location + a.size;
}

constexpr bool only_reads(Op op) { return op == Op::SemValue || op == Op::BarrierLeave || op == Op::ReadLock; }

/// The end of a block's life is one for the objects in it, and a store can give a destroyed object a new life.
constexpr bool changes_life(const Operation& memory, const Operation& sync) {
  if (!is_sync(sync.op) || !(is_block(memory.op) || (is_write(memory.op) && is_destructible(sync.op)))) return false;
  const Footprint bytes = footprint(memory);
  const auto holds = [&](u64 location) { return location - bytes.begin < bytes.end - bytes.begin; };
  return holds(sync.location) || (is_wait(sync.op) && holds(sync.operand));
}

inline bool dependent(const Operation& a, const Operation& b) {
  if (a.unseen || b.unseen) return true;
  if (a.op == Op::Exit || b.op == Op::Exit) return true;
  const bool atomic_a = a.op == Op::AtomicBegin || a.op == Op::AtomicEnd;
  const bool atomic_b = b.op == Op::AtomicBegin || b.op == Op::AtomicEnd;
  if (atomic_a || atomic_b) return true;  // they hold up everybody
  if (a.op == Op::Output && b.op == Op::Output) return true;
  const Footprint fa = footprint(a), fb = footprint(b);
  if ((fa.writes || fb.writes) && fa.begin < fb.end && fb.begin < fa.end) return true;
  if (changes_life(a, b) || changes_life(b, a)) return true;
  if (!is_sync(a.op) || !is_sync(b.op)) return false;
  if (only_reads(a.op) && only_reads(b.op) && a.object == b.object) return false;
  auto touches = [](const Operation& operation, u32 object) {
    return operation.object == object || (operation.object2 != 0 && operation.object2 == object);
  };
  return touches(b, a.object) || (a.object2 != 0 && touches(b, a.object2));
}

/// The same for operations of these threads or buffers: a thread cannot tell whether its own store has reached memory.
inline bool dependent(ThreadId thread_a, const Operation& a, ThreadId thread_b, const Operation& b) {
  const bool own_flush = (a.op == Op::Flush) != (b.op == Op::Flush) && owner_of(thread_a) == owner_of(thread_b);
  return (!own_flush || a.unseen || b.unseen) && dependent(a, b);
}

}  // namespace plait::machine
