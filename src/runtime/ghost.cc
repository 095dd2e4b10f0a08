#include "runtime/ghost.h"

#include "machine/value.h"
#include "runtime/access.h"

namespace plait::runtime {
namespace {

struct Kind {
  u32 words;
  const char* name;
};
#define PLAIT_GHOST(name, words, text) {words, text},
constexpr Kind kKinds[] = {PLAIT_GHOSTS(PLAIT_GHOST)};
#undef PLAIT_GHOST

alignas(64) u64 words[kGhostWords];
constexpr u32 kMaxChanged = 32;
u64* changed[kMaxChanged];  // in this run: most programs change few of the words, and a run is short
u32 changed_count = 0;      // may be more

struct FirstWords {
  u32 of[sizeof kKinds / sizeof kKinds[0]] = {};
  constexpr FirstWords() {
    for (u32 i = 1; i < sizeof kKinds / sizeof kKinds[0]; ++i) of[i] = of[i - 1] + kKinds[i - 1].words;
  }
};
constexpr FirstWords kFirst;

u64 place_of(Ghost ghost, u32 number) {
  const u32 kind = static_cast<u32>(ghost), count = kKinds[kind].words;
  return reinterpret_cast<u64>(words + kFirst.of[kind] + (number < count ? number : number % count));
}

u64 place_to_change(Ghost ghost, u32 number) {
  const u64 place = place_of(ghost, number);
  if (changed_count < kMaxChanged) changed[changed_count] = reinterpret_cast<u64*>(place);
  ++changed_count;
  return place;
}

}  // namespace

u32 call_site() {
  const Site* site = __plait_call_site;
  const u32 result = take_call_site();
  __plait_call_site = site;
  return result;
}

u64 look_at(Ghost ghost, u32 number) {
  if (!run.active) return 0;
  // Relaxed: the call itself need not drain the thread's buffer.
  return load<u64>(place_of(ghost, number), Order::Relaxed, call_site());
}

u64 change(Ghost ghost, u64 what, u32 number) {
  if (!run.active) return 0;
  return update(place_to_change(ghost, number), what, RmwKind::Mix, Order::AcqRel, call_site());
}

u64 replace(Ghost ghost, u64 state, u32 number) {
  if (!run.active) return 0;
  return update(place_to_change(ghost, number), state, RmwKind::Exchange, Order::AcqRel, call_site());
}

u64 present(Ghost ghost, u32 number) { return *reinterpret_cast<const u64*>(place_of(ghost, number)); }

void expect(Ghost ghost, u64 value, u32 number) {
  if (run.active && present(ghost, number) != value) run.unpredictable = true;
}

u64 hash_of(const void* data, u64 size) {
  u64 hash = size;
  for (u64 i = 0; i < size; ++i) hash = machine::mix(hash, static_cast<const u8*>(data)[i]);
  return hash;
}

u64 hash_of(const char* text) { return text ? hash_of(text, __builtin_strlen(text)) : 0; }

void reset_ghosts() {
  if (changed_count > kMaxChanged)
    __builtin_memset(words, 0, sizeof words);
  else
    for (u32 i = 0; i < changed_count; ++i) *changed[i] = 0;
  changed_count = 0;
}

u64 address_of_ghost(u32 word) { return reinterpret_cast<u64>(words + word); }

const char* name_of_ghost(u32 word) {
  u32 kind = 0;
  for (; word >= kKinds[kind].words; ++kind) word -= kKinds[kind].words;
  return kKinds[kind].name;
}

}  // namespace plait::runtime
