// Memory that holds no value yet: heap blocks and local variables that nobody has written since their life began, and
// what was copied from there.
//
// Such a byte has the code kUnwritten in the active map; the code that it would have otherwise stands in the *hidden*
// map, and code_of() finds it. So the short path of an access, which asks for the thread's own code, has met bytes with
// values only, and pays nothing.
//
// Reading such a byte is no mistake: structs are copied with their holes. Compiled code (instrument/uses.h) carries
// along which bits of a value are unwritten, gives them back with a store, and fails where they decide something.
#pragma once
#include "runtime/shadow.h"

namespace plait::runtime {

/// What a value decides; instrument/uses.h has the same numbers.
enum class ValueUse : u8 { Condition, Address, Argument, Result };

void mark_unwritten(u64 address, u64 size);
/// The same for a heap block that has just come to life.
void mark_block(u64 address, u64 size);
/// Bytes whose bits are all set.
void mark_bits(u64 address, u64 bits, u64 size);
/// They have values now.
inline void mark_written(u64 address, u64 size);
/// A set bit for each bit of up to 8 bytes that has no value, as an access of the current thread finds them.
u64 unwritten_bits(u64 address, u64 size, u32 site);
/// The access that is under way decides something by what it finds: fails if none of its bits has a value.
void need_value(u64 address, u64 size, u32 site, ValueUse use = ValueUse::Condition);
/// Are all of them the current thread's own, apart from marks? Then those are taken away.
bool settle_own(u64 address, u64 size);
/// Gives `size` bytes at `to` the marks of those at `from`; the ranges may overlap.
void copy_marks(u64 to, u64 from, u64 size);

/// All marks of the thread's stack lie in here; empty: there are none.
Range marked_stack(ThreadId thread);
/// What lies below `top` on the current thread's stack lives no longer.
void release_unwritten(u64 top);
/// Code that is not instrumented has run: what it has written, nobody knows.
void note_foreign_code();
/// Between runs.
void forget_unwritten();

/// All bits of those bytes of a word of codes that say "unwritten".
constexpr u64 unwritten_in(u64 codes) {
  constexpr u64 kLow = broadcast(0x7f);
  const u64 other = codes ^ broadcast(kUnwritten);
  const u64 found = ~(((other & kLow) + kLow) | other | kLow);  // the high bit of each byte of `other` that is 0
  return (found >> 7) * 0xff;
}

using Codes = u64 __attribute__((aligned(1), may_alias));
inline Codes& codes_at(u8* map) { return *reinterpret_cast<Codes*>(map); }

inline bool has_unwritten(u64 address, u64 size) {
  u8* active = active_of(address);
  u64 i = 0, found = 0;
  for (; i + 8 <= size; i += 8) found |= unwritten_in(codes_at(active + i));
  for (; i < size; ++i) found |= active[i] == kUnwritten;
  return found;
}

void give_values(u64 address, u64 size);

inline void mark_written(u64 address, u64 size) {
  if (__builtin_expect(has_unwritten(address, size), false)) give_values(address, size);
}

}  // namespace plait::runtime
