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
bool used = false;

constexpr u32 first_word(Ghost ghost) {
  u32 first = 0;
  for (u32 i = 0; i < static_cast<u32>(ghost); ++i) first += kKinds[i].words;
  return first;
}

u64 place_of(Ghost ghost, u32 number) {
  return reinterpret_cast<u64>(words + first_word(ghost) + number % kKinds[static_cast<u32>(ghost)].words);
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
  used = true;
  return update(place_of(ghost, number), what, RmwKind::Mix, Order::AcqRel, call_site());
}

u64 replace(Ghost ghost, u64 state, u32 number) {
  if (!run.active) return 0;
  used = true;
  return update(place_of(ghost, number), state, RmwKind::Exchange, Order::AcqRel, call_site());
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
  if (used) __builtin_memset(words, 0, sizeof words);
  used = false;
}

u64 address_of_ghost(u32 word) { return reinterpret_cast<u64>(words + word); }

const char* name_of_ghost(u32 word) {
  u32 kind = 0;
  for (; word >= kKinds[kind].words; ++kind) word -= kKinds[kind].words;
  return kKinds[kind].name;
}

}  // namespace plait::runtime
