#include "runtime/local_zones.h"

#include "runtime/lifetime.h"
#include "runtime/scheduler.h"
#include "runtime/unwritten.h"

namespace plait::runtime {
namespace {

constexpr u64 kHighBits = 0x8080808080808080ull;  // no byte of such a word is red
constexpr u64 kKey = 0x6564697374756f21ull;
constexpr u8 kFiller = 0xf3;

/// The last bytes in front of the variable.
struct Seal {
  u64 key;  // kKey and the variable's address
  u64 size;
  u64 zones;
  const Site* site;
};
static_assert(sizeof(Seal) == 32);

u64 lowest[kMaxThreads];  // no byte of the thread's stack below is marked; 0: none is
ThreadSet marked = 0;     // whose lowest is not 0

u64 stack_end(unsigned thread) { return slice(thread) + kStackOffset + kStackSize; }
u64& word_at(u8* bytes) { return *reinterpret_cast<u64*>(bytes); }

using Word = u64 __attribute__((aligned(1)));

/// At least 8 bytes, a word at a time; the last two words may overlap. Volatile: a call of memset takes longer than
/// this, and so do wide reads of what narrow writes have just left.
template <class F>
__attribute__((always_inline)) inline void in_words(u8* bytes, u64 size, F f) {
  for (u64 i = 0; i + 8 < size; i += 8) f(*reinterpret_cast<volatile Word*>(bytes + i));
  f(*reinterpret_cast<volatile Word*>(bytes + size - 8));
}
__attribute__((always_inline)) inline void set_words(u8* bytes, u64 size, u64 word) {
  in_words(bytes, size, [&](volatile Word& at) { at = word; });
}
__attribute__((always_inline)) inline bool all_words(u8* bytes, u64 size, u64 word) {
  u64 difference = 0;
  in_words(bytes, size, [&](volatile Word& at) { difference |= at ^ word; });
  return difference == 0;
}

void write_seal(const Local& local, const Site* site) {
  if (local.front() > sizeof(Seal))
    __builtin_memset(reinterpret_cast<void*>(local.begin()), kFiller, local.front() - sizeof(Seal));
  reinterpret_cast<Seal*>(local.address)[-1] = {kKey ^ local.address, local.size, local.zones, site};
  set_words(reinterpret_cast<u8*>(local.address + local.size), local.back(), broadcast(kFiller));
}

void note_lowest(u64 address) {
  u64& low = lowest[run.current->id];
  if (!low || address < low) low = address;
  marked |= bit(run.current->id);
}

void mark(u64 begin, u64 end) {
  for (u64 a = begin; a < end;) {
    u8* active = active_of(a);
    if (a % 8 == 0 && a + 8 <= end && !(word_at(active) & kHighBits)) {
      word_at(active) = broadcast(kRedZone);
      a += 8;
      continue;
    }
    if (!is_red(*active)) *active = *active == kShared || *active == kDead ? kSharedRedZone : kRedZone;
    ++a;
  }
}

/// What the byte was before: the class knows more than this process, perhaps, and then the next access finds it out
/// (shadow.cc).
u8 unmarked(u64 address, ThreadId owner) {
  if (*active_of(address) == kSharedRedZone) return kShared;
  const u8 known = *class_of(address);
  return known == write_code(owner) || known == read_code(owner) ? known : kUntouched;
}

void unmark(u64 begin, u64 end, ThreadId owner) {
  const u64 own = broadcast(write_code(owner));
  for (u64 a = begin; a < end;) {
    u8* active = active_of(a);
    if (a % 8 == 0 && a + 8 <= end) {
      const bool all_red = word_at(active) == broadcast(kRedZone) && word_at(class_of(a)) == own;
      if (all_red) word_at(active) = own;
      if (all_red || !(word_at(active) & kHighBits)) {
        a += 8;
        continue;
      }
    }
    if (is_red(*active)) *active = unmarked(a, owner);
    ++a;
  }
}

const Seal* seal_of(u64 variable) {
  const auto* seal = reinterpret_cast<const Seal*>(variable) - 1;
  return seal->key == (kKey ^ variable) ? seal : nullptr;
}

bool has_filler(const Local& local) {
  for (u64 a = local.address + local.size; a < local.end(); ++a)
    if (*reinterpret_cast<const u8*>(a) != kFiller) return false;
  return true;
}

Local sealed(u64 variable) {
  const Seal* seal = seal_of(variable);
  return seal ? Local{variable, seal->size, seal->zones} : Local{};
}

/// The variable whose front zone holds the red byte; size 0: none that lives.
Local variable_above(u64 red) {
  const u64 end = stack_end(slice_of(red));
  u64 variable = red;
  while (variable < end && is_red(*active_of(variable))) ++variable;
  if (variable >= end) return {};
  const Local local = sealed(variable);
  return red >= local.begin() ? local : Local{};
}

/// The variable whose zone behind it holds the red byte; size 0: none that lives.
Local variable_below(u64 red) {
  const u64 first = lowest[slice_of(red)];
  u64 end = red;
  while (end > first && is_red(*active_of(end - 1))) --end;
  u64 variable = end;
  while (variable > first && !is_red(*active_of(variable - 1))) --variable;
  if (variable < first + sizeof(Seal)) return {};
  const Local local = sealed(variable);
  const bool holds = local.size && variable + local.size == end && red < local.end() && has_filler(local);
  return holds ? local : Local{};
}

}  // namespace

bool lives_on_own_stack(u64 address) {
  return in_zone(address) && !in_heap(address) && slice_of(address) == run.current->id;
}

void mark_zones(const Local& local, const Site* site) {
  if (!local.zones || !local.size || !run.active || !lives_on_own_stack(local.address)) return;
  write_seal(local, site);
  mark(local.begin(), local.address);
  mark(local.address + local.size, local.end());
  note_lowest(local.begin());
}

void mark_fresh_zones(const Local& local, const Site* site) {
  if (!local.zones || !run.active || !lives_on_own_stack(local.address)) return;
  write_seal(local, site);
  set_words(active_of(local.begin()), local.front(), broadcast(kRedZone));
  set_words(active_of(local.address + local.size), local.back(), broadcast(kRedZone));
  note_lowest(local.begin());
}

bool unmark_own_zones(const Local& local) {
  const u64 own = broadcast(write_code(run.current->id)), end = local.address + local.size;
  if (!local.zones || !lives_on_own_stack(local.address)) return false;
  if (!all_words(active_of(local.begin()), local.front(), broadcast(kRedZone)) ||
      !all_words(class_of(local.begin()), local.front(), own))
    return false;
  if (!all_words(active_of(end), local.back(), broadcast(kRedZone)) || !all_words(class_of(end), local.back(), own))
    return false;
  set_words(active_of(local.begin()), local.front(), own);
  set_words(active_of(end), local.back(), own);
  u64& low = lowest[run.current->id];
  if (low == local.begin()) low = local.end();
  return true;
}

void unmark_zones(const Local& local) {
  if (!local.zones || !lives_on_own_stack(local.address)) return;
  const ThreadId me = run.current->id;
  unmark(local.begin(), local.address, me);
  unmark(local.address + local.size, local.end(), me);
  if (lowest[me] == local.begin()) lowest[me] = local.end();
}

void unmark_stack(u64 begin, u64 end) {
  const u64 low = lives_on_own_stack(begin) ? lowest[run.current->id] : 0;
  if (low && end > low) unmark(begin < low ? low : begin, end, run.current->id);
}

void release_stack(u64 top) {
  if (!lives_on_own_stack(top - 1)) return;
  forget_sized_locals(top);
  release_unwritten(top);
  u64& low = lowest[run.current->id];
  if (!low || low >= top) return;
  unmark(low, top, run.current->id);
  low = top;
}

bool is_zone_alive(u64 address) { return variable_above(address).size || variable_below(address).size; }

void forget_zone(u64 address) { *active_of(address) = unmarked(address, static_cast<ThreadId>(slice_of(address))); }

void fail_in_local_zone(u64 red, u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause) {
  char action[48] = "synchronisation";
  if (size) __builtin_snprintf(action, sizeof action, "%s of %lu bytes", write ? "write" : "read", size);
  const Local above = variable_above(red), below = variable_below(red);
  const bool nearer = above.address - red < red - (below.address + below.size) + 1;
  const Local& meant = below.size && (address < red || !above.size || !nearer) ? below : above;
  const Seal* seal = seal_of(meant.address);
  const auto* place =
      reinterpret_cast<const Site*>(reinterpret_cast<u64>(seal ? seal->site : nullptr) & ~u64{kLibrarySite});
  const char* name = place && place->text ? place->text : nullptr;
  fail({.kind = FailureKind::OutOfBounds, .site = site, .address = address, .cause = cause},
       "%s at offset %ld of %s%sa local variable of %lu bytes", action, static_cast<long>(address - meant.address),
       name ? name : "", name ? ", " : "", meant.size);
}

void forget_zones() {
  for (; marked; marked &= marked - 1) {
    const unsigned thread = static_cast<unsigned>(__builtin_ctzll(marked));
    unmark(lowest[thread], stack_end(thread), static_cast<ThreadId>(thread));
    lowest[thread] = 0;
  }
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void __plait_release_stack(void* top) {
  end_sized_locals(reinterpret_cast<u64>(top));
  release_stack(reinterpret_cast<u64>(top));
}

// Behind this function's own frame lies the frame of the one that control has arrived in.
void __plait_unwound() {
  const u64 top = reinterpret_cast<u64>(__builtin_frame_address(0)) + 16;
  release_stack(top);
  end_left_frames(top);
}
}
