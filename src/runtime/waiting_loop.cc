#include "runtime/waiting_loop.h"

#include "runtime/entry.h"
#include "runtime/failure.h"
#include "runtime/fingerprint.h"
#include "runtime/process.h"
#include "runtime/shadow.h"

namespace plait::runtime {
namespace {

constexpr u32 kMostAccesses = 4096;  // that are looked at
constexpr u32 kMostPlaces = 256;     // words: a loop that waits looks at few
constexpr u32 kFewPlaces = 16;
constexpr u32 kMostStates = 256;

struct Places {
  u64 word[kMostPlaces];
  u32 count;
  bool full;

  bool contains(u64 address) const {
    for (u32 i = 0; i < count; ++i)
      if (word[i] == address) return true;
    return false;
  }
  void add(u64 address) {
    if (contains(address)) return;
    if (count == kMostPlaces)
      full = true;
    else
      word[count++] = address;
  }
};

struct Watch {
  Places read, written;
  State state[kMostStates];
  u64 where[kMostStates];  // the read in front of which the thread was in that state
  u32 states;
  u32 accesses;
  bool last_chance;
};
Watch watch;

void for_each_word(u64 address, u64 size, Places& places) {
  for (u64 a = address & ~u64{7}; a < address + size; a += 8) places.add(a);
}

/// Has the thread been here in the same state? Then it goes round, until somebody else changes something.
bool goes_round(u64 address) {
  const State state = fingerprint();
  if (!state.low) return false;
  for (u32 i = 0; i < watch.states; ++i)
    if (watch.where[i] == address && watch.state[i].low == state.low && watch.state[i].high == state.high) return true;
  if (watch.states < kMostStates) {
    watch.state[watch.states] = state;
    watch.where[watch.states++] = address;
  }
  return false;
}

/// These places count as shared from now on, but for some.
bool share(const Places& places, const Places* but) {
  bool grew = false;
  for (u32 i = 0; i < places.count; ++i) {
    if (but && but->contains(places.word[i])) continue;
    for (u64 a = places.word[i]; a < places.word[i] + 8; ++a) {
      const u8 code = *code_of(a);
      if (code == kShared || code == kUntouched) continue;  // nobody looks at bytes that nobody touched
      make_shared(a);
      grew = true;
    }
  }
  if (grew) run.sharing_grew = true;
  return grew;
}

/// The thread goes round, or has been watched for long enough.
void conclude(bool round, u32 site) {
  end_watching();
  const bool few = !watch.read.full && watch.read.count <= kFewPlaces;
  bool grew = (round || (watch.last_chance && few)) && share(watch.read, round ? nullptr : &watch.written);
  // It waits for nobody. But others may look at what it writes, and the program may end without it.
  const bool needs_nobody = round || (watch.last_chance && run.current->detached);
  if (!grew && needs_nobody && !watch.written.full) grew = share(watch.written, nullptr);
  // Stores to these bytes did not wait in a buffer so far, and may have overtaken some that did.
  if (grew && run.delayed) end_run(RunStatus::Stopped);
  if (!grew && watch.last_chance) fail_endless(site);
}

}  // namespace

void begin_watching(bool last_chance) {
  Fiber& fiber = *run.current;
  watch.read.count = watch.written.count = watch.states = watch.accesses = 0;
  watch.read.full = watch.written.full = false;
  watch.last_chance = last_chance;
  run.watching = true;
  __plait_watch_states = 1;
  fiber.own = fiber.own_read = broadcast(kNobody);  // no short ways
}

void end_watching() {
  Fiber& fiber = *run.current;
  run.watching = false;
  fiber.own = run.everything ? broadcast(kNobody) : broadcast(write_code(fiber.id));
  fiber.own_read = broadcast(read_code(fiber.id));
  __plait_watch_states = run.states;
}

void watch_read(u64 address, u64 size, u32 site) {
  for_each_word(address, size, watch.read);
  const bool round = goes_round(address);
  if (round || ++watch.accesses >= kMostAccesses) conclude(round, site);
}

void watch_write(u64 address, u64 size, u32 site) {
  for_each_word(address, size, watch.written);
  // Who reads is in the same state again at a read.
  const bool round = watch.read.count == 0 && goes_round(address);
  if (round || ++watch.accesses >= kMostAccesses) conclude(round, site);
}

}  // namespace plait::runtime
