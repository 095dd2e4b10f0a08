#include "runtime/store_buffer.h"

#include "runtime/failure.h"
#include "runtime/labels.h"
#include "runtime/scheduler.h"
#include "runtime/unwritten.h"

namespace plait::runtime {
namespace {

/// Bytes of some thread's stack that its buffered stores have changed already: what the others still see.
struct Aside {
  u64 address;
  u8 byte;
};
constexpr u32 kMostAside = 4096;
Aside aside[kMostAside];
u32 aside_count = 0;

Aside* find_aside(u64 address) {
  for (u32 i = 0; i < aside_count; ++i)
    if (aside[i].address == address) return &aside[i];
  return nullptr;
}

u8 byte_of(u128 value, u64 index) { return static_cast<u8>(value >> (8 * index)); }

u128 memory(u64 address, u32 size) {
  u128 value = 0;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

bool on_own_stack(const Fiber& fiber, u64 address) { return address - (slice(fiber.id) + kStackOffset) < kStackSize; }

}  // namespace

u128 global_load(u64 address, u32 size) {
  u128 value = memory(address, size);
  if (aside_count == 0) return value;
  for (u32 i = 0; i < size; ++i)
    if (const Aside* other = find_aside(address + i)) {
      value &= ~(u128{0xff} << (8 * i));
      value |= u128{other->byte} << (8 * i);
    }
  return value;
}

void global_store(u64 address, u128 value, u32 size) {
  mark_written(address, size);
  if (aside_count == 0) {
    __builtin_memcpy(reinterpret_cast<void*>(address), &value, size);
    return;
  }
  for (u32 i = 0; i < size; ++i) {
    if (Aside* other = find_aside(address + i))
      other->byte = byte_of(value, i);
    else
      *reinterpret_cast<u8*>(address + i) = byte_of(value, i);
  }
}

u128 buffered_load(const Fiber& fiber, u64 address, u32 size) {
  return machine::load(fiber.buffer, address, size, global_load(address, size));
}

void push_store(Fiber& fiber, const BufferedStore& store) {
  StoreBuffer& buffer = fiber.buffer;
  BufferedStore& added = buffer.store[buffer.count++];
  added = store;
  added.barrier |= buffer.barrier;
  buffer.barrier = false;
  buffer.pending.store();
  run.buffers |= bit(fiber.id);
  added.on_stack = on_own_stack(fiber, store.address) && aside_count + store.size <= kMostAside;
  if (!added.on_stack) return;
  for (u64 i = 0; i < store.size; ++i) {
    if (!find_aside(store.address + i))
      aside[aside_count++] = {store.address + i, *reinterpret_cast<u8*>(store.address + i)};
    *reinterpret_cast<u8*>(store.address + i) = byte_of(store.value, i);
  }
}

u128 flush_store(Fiber& fiber, u32 index, BufferedStore& flushed) {
  StoreBuffer& buffer = fiber.buffer;
  flushed = buffer.store[index];
  const u128 old = global_load(flushed.address, flushed.size);
  if (follows_inputs()) note_shared_memory(flushed.address, flushed.size);
  --buffer.count;
  for (u32 i = index; i < buffer.count; ++i) buffer.store[i] = buffer.store[i + 1];
  if (index == 0) buffer.store[0].barrier = false;  // nothing is left that must go first
  if (buffer.count == 0) {
    run.buffers &= ~bit(fiber.id);
    buffer.barrier = false;
  }
  global_store(flushed.address, flushed.value, flushed.size);
  if (follows_inputs()) flush_label(flushed.address, flushed.size, flushed.label);
  if (flushed.unwritten) mark_bits(flushed.address, flushed.unwritten, flushed.size);
  if (!flushed.on_stack) return old;
  // Bytes that no other store of the thread waits for are seen by all from now on.
  for (u64 i = 0; i < flushed.size; ++i) {
    const u64 address = flushed.address + i;
    bool waits = false;
    for (u32 k = 0; k < buffer.count; ++k) waits |= address - buffer.store[k].address < buffer.store[k].size;
    if (Aside* other = waits ? nullptr : find_aside(address)) *other = aside[--aside_count];
  }
  return old;
}

u64 flushable(const Fiber& fiber) { return machine::flushable(run.memory, fiber.buffer); }

void forget_stores() { aside_count = 0; }

}  // namespace plait::runtime
