// Store buffers of the threads, under TSO and PSO (machine/memory_model.h has the rules).
//
// Memory holds what everybody sees; a thread's buffer holds what only it sees. One exception: a thread's own stack.
// Code that is not hooked (spilled registers, other functions' frames) may use the bytes once the variable is gone, and
// a late flush would overwrite them. So a store to the own stack goes to memory at once, and what the others see
// instead is kept aside until the flush.
#pragma once
#include "machine/memory_step.h"

namespace plait::runtime {

struct Fiber;

struct BufferedStore {
  u64 address;
  u128 value;
  u32 position;
  u32 site;
  u8 size;
  Order order;
  bool barrier;   // all older ones must have left first
  bool on_stack;  // of the storing thread
  bool asleep;    // Choice::Asleep
  u64 unwritten;  // bits of the value that nobody has written (unwritten.h)
  u64 label;      // of the value (labels.h)
};

struct StoreBuffer {
  BufferedStore store[machine::kMostBuffered];
  u32 count = 0;
  bool barrier = false;  // before the next store
  machine::PendingStores pending;

  // As the memory step sees it.
  u32 size() const { return count; }
  machine::Waiting operator[](u32 i) const {
    return {store[i].address, store[i].value, store[i].size, store[i].barrier};
  }
};

/// Loads as `fiber` sees them; the address must be visible to others.
u128 buffered_load(const Fiber& fiber, u64 address, u32 size);
/// What everybody sees, and how to change it.
u128 global_load(u64 address, u32 size);
void global_store(u64 address, u128 value, u32 size);

/// Puts a store at the end of the fiber's buffer, which has room.
void push_store(Fiber& fiber, const BufferedStore& store);
/// Takes the store at `index` out of the buffer and writes it to memory. Returns the value that it overwrote.
u128 flush_store(Fiber& fiber, u32 index, BufferedStore& flushed);

/// Indices of the stores that could be flushed now.
u64 flushable(const Fiber& fiber);

/// A new run begins.
void forget_stores();

}  // namespace plait::runtime
