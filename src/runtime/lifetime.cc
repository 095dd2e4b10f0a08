// Local variables whose address has left their function (instrument/lifetimes.h). Where other threads use them, their
// end is an operation like a free, and the beginning of the next life of these bytes is one, too. Own accesses find the
// bytes alive: the same frame may hold something else there that has no hook.
#include "runtime/lifetime.h"

#include "runtime/access.h"
#include "runtime/account.h"
#include "runtime/local_zones.h"
#include "runtime/snapshot.h"

namespace plait::runtime {
namespace {

constexpr u64 kHighBits = 0x8080808080808080ull;  // codes of what others use (and of the last thread)

struct End {
  u64 begin, end;
  u32 site;
};
constexpr u32 kEnds = 256;
End last_ends[kEnds];  // for messages, and for has_ended()
u32 end_count = 0;
struct Dead {
  Range stack, thread_locals;  // all dead bytes of a thread lie in here; end 0: none
};
Dead dead[kMaxThreads];

/// Variables whose size is known at run time only (arrays, alloca). The compiler marks no end of theirs: they end where
/// the stack pointer moves back.
struct Sized {
  Local local;
  const Site* site;
};
constexpr u32 kSized = 64;  // more of one thread at once have no end
struct SizedLocals {
  Sized local[kSized];
  u32 count;
};
SizedLocals sized[kMaxThreads];

/// Frames that control leaves without a mark end from here on.
void note_lowest(u64 begin) {
  u64& lowest = run.current->lowest_local;
  if ((!lowest || begin < lowest) && lives_on_own_stack(begin)) lowest = begin;
}

/// Might others use some of the bytes?
bool may_be_shared(const u8* active, u64 size) {
  u64 i = 0;
  for (; i + 8 <= size; i += 8) {
    u64 word;
    __builtin_memcpy(&word, active + i, 8);
    if (word & kHighBits) return true;
  }
  for (; i < size; ++i)
    if (active[i] & 0x80) return true;
  return false;
}

bool is_shared(const u8* active, u64 size) {
  for (u64 i = 0; i < size; ++i)
    if (active[i] == kShared || active[i] == kDead) return true;
  return false;
}

void replace(u64 begin, u64 end, u8 old, u8 code) {
  for (u64 a = begin; a < end; ++a)
    if (*active_of(a) == old) *active_of(a) = code;
}

machine::Operation operation(Op op, u64 address, u64 size, u32 site) {
  return {.op = op,
          .detail = machine::kLocalVariable,
          .site = site,
          .location = address,
          .operand = size,
          .span = static_cast<u32>(size)};
}

bool contains(const Range& range, u64 address) { return address >= range.begin && address < range.end; }

u32 first_end() { return end_count > kEnds ? end_count - kEnds : 0; }

void note_begin(u64 begin, u64 end) {
  for (u32 i = first_end(); i < end_count; ++i)
    if (End& old = last_ends[i % kEnds]; begin < old.end && old.begin < end) old.begin = old.end = 0;
}

void begin(const Local& local, u32 site) {
  const u64 address = local.begin(), size = local.end() - local.begin();
  if (!run.active || run.init_phase || !lives_on_own_stack(address)) return;
  const bool shared = is_shared(active_of(address), size);
  if (!shared && !run.everything) return;
  run.unshared = !shared;
  await_turn(operation(Op::Alloc, address, size, site));
  note_begin(address, address + size);
  replace(address, address + size, kDead, kShared);
  begin_objects(address, address + size);
}

/// The bytes of the current thread lie dead from here on; its turn for that has come.
void end(u64 begin, u64 end, u32 site, Range& range) {
  mark_written(begin, end - begin);  // whatever comes to lie here
  last_ends[end_count++ % kEnds] = {begin, end, site};
  if (!range.end || begin < range.begin) range.begin = begin;
  if (end > range.end) range.end = end;
  replace(begin, end, kShared, kDead);
  end_objects(begin, end);
}

/// The thread ends or has left these frames, and with it what lies here.
void end_together(u64 begin, u64 end_, Range& range) {
  begin_operation();
  const u64 size = end_ - begin;
  if (!run.everything && settle_own(begin, size)) return;
  if (classify_free(begin, size) != Visibility::Visible) return;
  await_turn(operation(Op::Free, begin, size, kNoSite));
  end(begin, end_, kNoSite, range);
}

// The red zones are a part of the variable: others must not touch them before its end, nor after it.
void end_life(const Local& local, const Site* site) {
  begin_operation();
  const u64 begin = local.begin(), end = local.end();
  if (run.current->lowest_local == begin) run.current->lowest_local = end;
  if (unmark_own_zones(local)) {
    if (!run.everything && settle_own(local.address, local.size)) return;
  } else {
    unmark_zones(local);
  }
  if (!run.everything && settle_own(begin, end - begin)) return;
  const bool counts = run.active && !run.init_phase && lives_on_own_stack(begin);
  if (!counts || classify_free(begin, end - begin) != Visibility::Visible) return mark_written(begin, end - begin);
  const u32 place = site_offset(site);
  mark_zones(local, site);
  await_turn(operation(Op::Free, begin, end - begin, place));
  unmark_zones(local);
  runtime::end(begin, end, user_view(place, *run.current), dead[run.current->id].stack);
}

}  // namespace

void end_sized_locals(u64 top) {
  if (!lives_on_own_stack(top - 1)) return;
  SizedLocals& mine = sized[run.current->id];
  while (mine.count && mine.local[mine.count - 1].local.address < top) {
    const Sized last = mine.local[--mine.count];
    end_life(last.local, last.site);
  }
}

void forget_sized_locals(u64 top) {
  SizedLocals& mine = sized[run.current->id];
  while (mine.count && mine.local[mine.count - 1].local.address < top) --mine.count;
}

void end_left_frames(u64 top) {
  u64& lowest = run.current->lowest_local;
  if (!run.active || !lowest || lowest >= top || !lives_on_own_stack(top - 1)) return;
  const u64 left = lowest;
  lowest = 0;
  end_together(left, top, dead[run.current->id].stack);
}

void end_thread_memory(u64 stack_pointer) {
  Fiber& fiber = *run.current;
  const u64 stack_end = slice(fiber.id) + kStackOffset + kStackSize;
  end_together(stack_pointer, stack_end, dead[fiber.id].stack);
  for (u32 i = 0; i < tls_blocks; ++i) {
    const Range tls = tls_of(fiber, i);
    end_together(tls.begin, tls.end, dead[fiber.id].thread_locals);
  }
}

bool has_ended(u64 address) {
  for (u32 i = first_end(); i < end_count; ++i)
    if (const End& end = last_ends[i % kEnds]; address >= end.begin && address < end.end) return true;
  return false;
}

void fail_after_scope(u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause) {
  char action[48] = "synchronisation";
  if (size) __builtin_snprintf(action, sizeof action, "%s of %lu bytes", write ? "write" : "read", size);
  u32 other = kNoSite;
  for (u32 i = first_end(); i < end_count; ++i)
    if (const End& end = last_ends[i % kEnds]; address >= end.begin && address < end.end) other = end.site;
  fail({.kind = FailureKind::UseAfterScope, .site = site, .address = address, .other_site = other, .cause = cause},
       "%s in a %s variable of T%u that lives no longer", action,
       contains(dead[slice_of(address)].thread_locals, address) ? "thread-local" : "local", slice_of(address));
}

void forget_ends() {
  for (SizedLocals& locals : sized) locals.count = 0;
  if (end_count == 0) return;
  for (Dead& bytes : dead) {
    if (bytes.stack.end) replace(bytes.stack.begin, bytes.stack.end, kDead, kShared);
    if (bytes.thread_locals.end) replace(bytes.thread_locals.begin, bytes.thread_locals.end, kDead, kShared);
    bytes = {};
  }
  end_count = 0;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void __plait_begin_life(void* variable, uint64_t size, uint64_t zones, const Site* site) {
  begin_operation();
  account_local(reinterpret_cast<u64>(variable), size, site);
  const Local local = {reinterpret_cast<u64>(variable), size, zones};
  note_lowest(local.begin());
  if (!run.everything && !may_be_shared(active_of(local.begin()), local.end() - local.begin())) {
    mark_fresh_zones(local, site);
    return;
  }
  mark_written(local.begin(), local.end() - local.begin());  // what an earlier frame has left
  unmark_stack(local.begin(), local.end());
  begin(local, site_offset(site));
  mark_zones(local, site);
}

void __plait_end_life(void* variable, uint64_t size, uint64_t zones, const Site* site) {
  end_life({reinterpret_cast<u64>(variable), size, zones}, site);
}

void __plait_guard(void* variable, uint64_t size, uint64_t zones, const Site* site) {
  begin_operation();
  const Local local = {reinterpret_cast<u64>(variable), size, zones};
  note_lowest(local.begin());
  unmark_stack(local.begin(), local.end());
  if (run.everything || may_be_shared(active_of(local.begin()), local.end() - local.begin())) {
    begin(local, site_offset(site));
    // The runtime's own calls have left something there, another time something else.
    __builtin_memset(variable, 0, size);
  }
  mark_zones(local, site);
  if (!run.active || !lives_on_own_stack(local.address)) return;
  SizedLocals& mine = sized[run.current->id];
  if (size && mine.count < kSized) mine.local[mine.count++] = {local, site};
}
}
