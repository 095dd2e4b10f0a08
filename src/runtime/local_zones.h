// Red zones around local variables: the pass makes room for them (instrument/local_zones.h), the shadow marks them
// while the variable lives.
//
// In front of the variable lies its seal, behind it a filler, so that a mark which was left behind can be told from one
// that holds: frames that an exception, longjmp or the end of the thread skips are cleared where control arrives
// (release_stack), but code that is not instrumented may catch exceptions, too.
#pragma once
#include "runtime/failure.h"
#include "runtime/layout.h"

namespace plait {
struct Site;
}

namespace plait::runtime {

struct Local {
  u64 address, size;
  u64 zones;  // bytes in front of it, and 2^32 * bytes behind it; 0: none
  u64 front() const { return zones & 0xffffffff; }
  u64 back() const { return zones >> 32; }
  u64 begin() const { return address - front(); }
  u64 end() const { return address + size + back(); }
};

bool lives_on_own_stack(u64 address);

/// The shadow of its zones: red, or as before.
void mark_zones(const Local& local, const Site* site);
void unmark_zones(const Local& local);
/// The same, in a hurry: where no byte is shared or marked; where nobody else has ever touched the zones (false: it did
/// nothing).
void mark_fresh_zones(const Local& local, const Site* site);
bool unmark_own_zones(const Local& local);
/// What lies in these bytes of the current thread's stack lives no longer.
void unmark_stack(u64 begin, u64 end);
/// The same for all below `top`.
void release_stack(u64 top);

/// A byte of a stack is marked: does the variable live?
bool is_zone_alive(u64 address);
/// It does not.
void forget_zone(u64 address);
/// `red` is the first byte of the access that is marked.
[[noreturn]] void fail_in_local_zone(u64 red, u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause);

/// Between runs: all stacks are as new.
void forget_zones();

}  // namespace plait::runtime
