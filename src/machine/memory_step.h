// The memory step: what a load returns, what a store leaves, which stores a buffer can flush. One definition for the
// native runs (runtime/store_buffer.cc), the search (explore/product_memory.cc) and the solver (solve/simulation.cc).
// Each keeps memory and buffers in its own way, and shows the buffer of a thread as a view:
//
//   u32 size() const                 stores that wait there
//   Waiting operator[](u32) const    oldest first
#pragma once
#include "machine/memory_model.h"
#include "machine/value.h"

namespace plait::machine {

/// A store in a buffer.
struct Waiting {
  u64 location;
  u128 value;
  u32 size;             // in bytes; 0: it has left
  bool behind_barrier;  // all older ones must have left first
};

constexpr bool touches(const Waiting& store, u64 location, u32 size) {
  return store.size != 0 && store.location < location + size && location < store.location + store.size;
}

/// Can the store at `index` leave the buffer?
template <class Buffer>
bool can_flush(const MemoryRules& rules, const Buffer& buffer, u32 index) {
  const Waiting store = buffer[index];
  bool barrier = store.behind_barrier;
  for (u32 i = index; i-- > 0;) {
    const Waiting older = buffer[i];
    if (rules.leaves_first(touches(older, store.location, store.size), barrier)) return false;
    barrier |= older.behind_barrier;
  }
  return true;
}

/// The places of all that can.
template <class Buffer>
u64 flushable(const MemoryRules& rules, const Buffer& buffer) {
  const u32 count = buffer.size();
  if (rules.in_order) return count ? 1 : 0;
  u64 set = 0;
  for (u32 i = 0; i < count; ++i)
    if (can_flush(rules, buffer, i)) set |= u64{1} << i;
  return set;
}

/// What a load returns: `value` is what is in memory, and what is newer comes from the thread's own buffer.
template <class Buffer>
u128 load(const Buffer& own, u64 location, u32 size, u128 value) {
  for (u32 i = 0; i < own.size(); ++i) {
    const Waiting store = own[i];
    if (!touches(store, location, size)) continue;
    u128 bytes = truncate(store.value, store.size), mask = truncate(~u128{0}, store.size);
    if (store.location >= location)
      bytes <<= 8 * (store.location - location), mask <<= 8 * (store.location - location);
    else
      bytes >>= 8 * (location - store.location), mask >>= 8 * (location - store.location);
    value = (value & ~mask) | bytes;
  }
  return truncate(value, size);
}

/// Does the load take any byte from there?
template <class Buffer>
bool is_forwarded(const Buffer& own, u64 location, u32 size) {
  for (u32 i = 0; i < own.size(); ++i)
    if (touches(own[i], location, size)) return true;
  return false;
}

/// What an operation that found `old` leaves in memory; false: it writes nothing (a load, a comparison that failed). A
/// store that waits writes when it is flushed.
/// (`by` is an Operation, or a node of a graph: op, size, detail.)
template <class By>
bool written(const By& by, u128 old, u128 operand, u128 expected, u128& value) {
  switch (by.op) {
    case Op::Store:
    case Op::Flush: value = operand; return true;
    case Op::Cas: value = operand; return old == expected;
    case Op::Rmw: value = rmw<u128>(static_cast<RmwKind>(by.detail), by.size, old, operand); return true;
    default: return false;
  }
}

}  // namespace plait::machine
