// Goes through the events of the run once more, with the bits of machine/happens_before.h for one access of them.
#include "runtime/unordered.h"

#include <sys/mman.h>

#include "machine/dependence.h"
#include "machine/happens_before.h"
#include "machine/memory_model.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

using machine::Operation;

/// A store that waits in a buffer, and what was so when it was issued.
struct WaitingStore {
  u32 position;
  bool waits, hands_on, knows;
};

struct Notes {
  struct Entry {
    u64 key;  // an address; of an object: complemented
    u8 bits;
  };
  u8 threads[kMaxThreads];
  u8 section;
  WaitingStore waiting[kMaxThreads][machine::kMostBuffered];
  u64 capacity;     // a power of two
  Entry entries[];  // a hash table

  u8& at(u64 key) {
    for (u64 slot = key * 0x9e3779b97f4a7c15ull >> 20;; ++slot) {
      Entry& entry = entries[slot & (capacity - 1)];
      if (entry.key == 0) entry.key = key;
      if (entry.key == key) return entry.bits;
    }
  }
  WaitingStore* store(ThreadId thread, u32 position) {
    for (WaitingStore& store : waiting[thread])
      if (store.waits && store.position == position) return &store;
    return nullptr;
  }
};

struct View {
  Notes& notes;
  u8& thread(ThreadId t) { return notes.threads[t]; }
  u8& object(u64 key) { return notes.at(~key); }
  u8& section() { return notes.section; }
  bool message(const Operation& o) {
    for (u64 a = o.location; a < o.location + o.size; ++a)
      if (notes.at(a) & 1) return true;
    return false;
  }
  bool continues(ThreadId t, const Operation& o) {
    for (u64 a = o.location; a < o.location + o.size; ++a)
      if (notes.at(a) == (2 * (t + 1) | 1)) return true;
    return false;
  }
  void write(ThreadId t, const Operation& o, bool hands_on, bool is_update) {
    for (u64 a = o.location; a < o.location + o.size; ++a) {
      u8& bits = notes.at(a);
      const u32 head = is_update && (bits & 1) ? bits >> 1 : t + 1u;
      bits = hands_on ? static_cast<u8>(2 * head | 1) : u8{0};
    }
  }
};

u64 notes_size(u64& capacity) {
  u64 keys = 16;
  for (u32 i = 0; i < run.event_count; ++i) keys += run.events[i].size + 2u;
  capacity = 64;
  while (capacity < 2 * keys) capacity *= 2;
  return sizeof(Notes) + capacity * sizeof(Notes::Entry);
}

void note_issue(View& view, const Event& event, const Operation& operation) {
  const u8 own = view.thread(event.thread);
  const u8 needed = machine::releases(event.order) ? machine::knows::kAccess : machine::knows::kFence;
  for (WaitingStore& store : view.notes.waiting[event.thread]) {
    if (store.waits) continue;
    const bool knows = (own & machine::knows::kAccess) != 0;
    store = {event.position, true, operation.order > Order::Volatile && (own & needed), knows};
    return;
  }
}

void follow(View& view, const Event& event) {
  const Operation operation = machine::operation_of(event);
  if (event.op == Op::Extension || event.op == Op::Initial || (event.flags & event_flag::kPending)) return;
  if (event.op == Op::Flush) {
    WaitingStore* store = view.notes.store(owner_of(event.thread), event.position);
    if (!store) return;
    const ThreadId owner = owner_of(event.thread);
    const bool goes_on = event.order == Order::Relaxed && view.continues(owner, operation);
    view.write(owner, operation, store->hands_on || goes_on, false);
    store->waits = false;
    return;
  }
  const bool waits = run.memory.is_buffered(event.op, event.order) && !(event.flags & event_flag::kAtOnce);
  if (waits) return note_issue(view, event, operation);
  machine::step_behind(view, event.thread, operation, event.value);
}

}  // namespace

const Event* unordered_before(ThreadId actor, const Operation& operation, ThreadId other, u32 later) {
  const Event* access = nullptr;
  for (u32 i = run.event_count; i-- > 0 && !access;) {
    const Event& event = run.events[i];
    const bool conflicts = event.thread == other && machine::is_access(event.op) &&
                           machine::is_race(machine::operation_of(event), operation);
    if (conflicts && later-- == 0) access = &event;
  }
  if (!access) return nullptr;
  u64 capacity;
  const u64 size = notes_size(capacity);
  void* const memory = PLAIT_REAL(mmap)(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto& notes = *static_cast<Notes*>(memory);
  notes.capacity = capacity;
  View view{notes};
  for (u32 i = 0; i < run.event_count; ++i) {
    if (run.events + i == access) notes.threads[other] |= machine::knows::kAccess;
    follow(view, run.events[i]);
  }
  bool knows = (notes.threads[actor < kFirstBuffer || !run.memory.buffers ? actor : owner_of(actor)] &
                machine::knows::kAccess) != 0;
  if (operation.op == Op::Flush) {
    const Fiber& fiber = fibers[owner_of(actor)];
    for (u32 i = 0; i < fiber.buffer.count; ++i) {
      const BufferedStore& store = fiber.buffer.store[i];
      if (store.address != operation.location || store.size != operation.size || store.site != operation.site) continue;
      const WaitingStore* note = notes.store(fiber.id, store.position);
      knows = note && note->knows;
      break;
    }
  }
  PLAIT_REAL(munmap)(memory, size);
  return knows ? nullptr : access;
}

}  // namespace plait::runtime
