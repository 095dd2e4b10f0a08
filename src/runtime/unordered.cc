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
  u64 begin, end;
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
  /// A thread that reads its own store, which waits, reads nothing of others.
  bool is_forwarded(ThreadId thread, u64 location) {
    for (const WaitingStore& store : waiting[thread])
      if (store.waits && store.begin <= location && location < store.end) return true;
    return false;
  }
  WaitingStore* store(ThreadId thread, u32 position) {
    for (WaitingStore& store : waiting[thread])
      if (store.waits && store.position == position) return &store;
    return nullptr;
  }
};

struct View : machine::BitsOfOneAccess<View> {
  Notes& notes;
  explicit View(Notes& all) : notes(all) {}
  u8& thread_bits(ThreadId t) { return notes.threads[t]; }
  u8& object_bits(u64 key) { return notes.at(~key); }
  u8& section_bits() { return notes.section; }
  bool message(const Operation& o) {
    for (u64 a = o.location; a < o.location + o.size; ++a)
      if (machine::hands_on_at(notes.at(a))) return true;
    return false;
  }
  void write(ThreadId t, const Operation& o, bool hands_on, machine::Keeps keeps) {
    for (u64 a = o.location; a < o.location + o.size; ++a) {
      u8& place = notes.at(a);
      place = machine::written_at(place, t, hands_on, keeps);
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
  const bool knows = view.known(event.thread, machine::knows::kAccess);
  const bool hands_on =
      operation.order > Order::Volatile && view.known(event.thread, machine::handed_on_by(event.order));
  for (WaitingStore& store : view.notes.waiting[event.thread]) {
    if (store.waits) continue;
    store = {event.location, event.location + event.size, event.position, true, hands_on, knows};
    return;
  }
}

void follow(View& view, const Event& event) {
  const Operation operation = machine::operation_of(event);
  if (is_note(event.op) || event.op == Op::Initial || (event.flags & event_flag::kPending)) return;
  if (event.op == Op::Flush) {
    WaitingStore* store = view.notes.store(owner_of(event.thread), event.position);
    if (!store) return;
    view.write(owner_of(event.thread), operation, store->hands_on,
               event.order == Order::Relaxed ? machine::Keeps::Own : machine::Keeps::Nothing);
    store->waits = false;
    return;
  }
  const bool waits = run.memory.is_buffered(event.op, event.order) && !(event.flags & event_flag::kAtOnce);
  if (waits) return note_issue(view, event, operation);
  if (event.op == Op::Load && view.notes.is_forwarded(event.thread, event.location)) return;
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
  View view(notes);
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
