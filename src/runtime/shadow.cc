#include "runtime/shadow.h"

#include <sys/mman.h>

#include "runtime/failure.h"
#include "runtime/fingerprint.h"
#include "runtime/lifetime.h"
#include "runtime/local_zones.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

/// The class of a byte after one more access.
u8 advanced(u8 code, ThreadId thread, bool write) {
  return joined(code == kFresh ? kUntouched : code, write ? write_code(thread) : read_code(thread));
}

void log_shared(u64 begin, u64 end) {
  run.sharing_grew = true;
  ++process.critical;  // a signal must not tear the log
  const bool logged = log_shared_range(*process.session, begin, static_cast<u32>(end - begin), process.id);
  --process.critical;
  // What is shared and nobody knows of would be taken for private.
  if (!logged)
    fail({.kind = FailureKind::OutOfResources}, "threads share more than %u pieces of memory", kMaxSharedRanges);
}

/// Moves the class of one byte forward; other workers may do the same at the same time. True if it became shared by
/// this.
bool advance_class(u8* byte, ThreadId thread, bool write, u8& result) {
  u8 old = __atomic_load_n(byte, __ATOMIC_ACQUIRE);
  for (;;) {
    result = advanced(old, thread, write);
    if (result == old) return false;
    if (__atomic_compare_exchange_n(byte, &old, result, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return result == kShared;
  }
}

struct Scan {
  bool shared = false;
  bool outside = false;
  bool red = false;  // some of it lies in a red zone
};

constexpr u64 kLargestAccess = 16;

/// An access is one thing: if others see some of its bytes, then all of them count as shared. Else a thread could
/// change bytes of a shared access unseen, or look past its own store that waits in a buffer. True if there were such
/// bytes.
bool share_rest(u64 address, u64 size) {
  bool grew = false;
  for (u64 a = address; a < address + size; ++a)
    if (const u8 code = *code_of(a); code != kShared && code != kDead && code != kSharedRedZone)
      make_shared(a), grew = true;
  return grew;
}

/// A heap byte that is not allocated (any more): who has used it decides whether others could have met it alive.
bool is_shared_when_dead(u64 address, bool write) {
  u8 result = *class_of(address);
  if (!run.init_phase && advance_class(class_of(address), run.current->id, write, result))
    log_shared(address, address + 1);
  return result == kShared;
}

u64 eight_codes(const u8* active) {
  u64 codes;
  __builtin_memcpy(&codes, active, 8);
  return codes;
}

/// How many bytes from `first` on have one and the same code.
u64 same_codes(const u8* first, u64 most) {
  const u64 all = broadcast(*first);
  u64 count = 1;
  while (count + 8 <= most && eight_codes(first + count) == all) count += 8;
  while (count < most && first[count] == *first) ++count;
  return count;
}

/// A byte of a red zone. False: its variable is gone and the zone forgotten, so that one has to look again.
bool meet_red_zone(u64 address, u8 code, ThreadId thread, Scan& found, bool& grew) {
  const bool local = in_zone(address);
  if (local && !is_zone_alive(address)) {
    forget_zone(address);
    return false;
  }
  if (!local || slice_of(address) == thread) {
    found.outside = found.red = true;
    return true;
  }
  // The owner may end the variable's life before this: check_alive() decides.
  if (code == kRedZone) make_shared(address), grew = true;
  found.shared = true;
  return true;
}

Scan scan(u64 address, u64 size, bool write, bool is_access) {
  Scan found;
  check_thread();
  const ThreadId thread = run.current->id;
  const bool heap = in_heap(address);
  u64 grown_begin = 0, grown_end = 0;
  bool grew = false;
  for (u64 a = address; a < address + size; ++a) {
    u8* active = code_of(a);
    const u8 code = *active;
    if (code == kShared || code == write_code(thread)) {  // most bytes: nothing new
      found.shared |= code == kShared;
      const u64 alike = same_codes(active_of(a), address + size - a);
      a += (active == active_of(a) ? alike : same_codes(active, alike)) - 1;
      continue;
    }
    if (code == kDead) {
      found.shared = true;
      if (slice_of(a) == thread) *active = kShared;  // own stack: lifetime.cc
      continue;
    }
    if (is_red(code)) {
      if (!meet_red_zone(a, code, thread, found, grew)) --a;
      continue;
    }
    if (code == kUntouched && heap) {
      found.outside = true;
      found.shared |= is_shared_when_dead(a, write);
      continue;
    }
    if (run.init_phase) continue;
    if (advanced(code, thread, write) == code) continue;
    u8 result;
    if (advance_class(class_of(a), thread, write, result)) {
      if (grown_end != a) {
        if (grown_end) log_shared(grown_begin, grown_end);
        grown_begin = a;
      }
      grown_end = a + 1;
    }
    *active = result;
    if (result == write_code(thread)) note_owned(thread, a, a + 1);
    if (result == kShared) {
      // Nobody knew that the end of that local variable would matter.
      if (run.everything && in_zone(a) && !heap && slice_of(a) != thread && has_ended(a)) *active = kDead;
      note_foreign(a, a + 1);
      found.shared = true;
      run.sharing_grew = grew = true;  // perhaps by another worker: this run's trace misses accesses all the same
    }
  }
  if (grown_end) log_shared(grown_begin, grown_end);
  const bool is_one = is_access && size <= kLargestAccess && !run.init_phase && !found.outside;
  if (found.shared && is_one && share_rest(address, size)) run.sharing_grew = grew = true;
  // Stores to these bytes did not wait in a buffer so far, and may have overtaken some that did.
  if (grew && run.delayed) end_run(RunStatus::Stopped);
  return found;
}

bool was_freed_alone(u64 address) {
  const BlockHeader* block = find_block(address);
  return block && block->state == BlockState::Freed && block->freed_alone &&
         address < block_address(block) + block->size;
}

}  // namespace

void map_shadow(int class_fd) {
  for (const Range& range : kShadowed) {
    const u64 size = range.end - range.begin;
    constexpr int kFlags = MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void* active =
        mmap(active_of(range.begin), size, PROT_READ | PROT_WRITE, kFlags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void* classes = class_fd >= 0 ? mmap(class_of(range.begin), size, PROT_READ | PROT_WRITE, kFlags | MAP_SHARED,
                                         class_fd, static_cast<off_t>(range.begin))
                                  : mmap(class_of(range.begin), size, PROT_READ | PROT_WRITE,
                                         kFlags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void* hidden_begin = hidden_of(range.begin) - kHiddenShift;
    void* hidden =
        mmap(hidden_begin, size + kPage, PROT_READ | PROT_WRITE, kFlags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (active != active_of(range.begin) || classes != class_of(range.begin) || hidden != hidden_begin)
      die("cannot map the shadow memory (is the address space limited, or vm.overcommit_memory set to 2?)");
    madvise(active, size, MADV_DONTDUMP);
    madvise(classes, size, MADV_DONTDUMP);
    madvise(hidden, size + kPage, MADV_DONTDUMP);
  }
}

namespace {

Visibility classify(u64 address, u64 size, bool write, bool is_access) {
  const Scan found = scan(address, size, write, is_access);
  if (found.outside && (found.red || !found.shared || was_freed_alone(address))) return Visibility::OutsideBlock;
  run.unshared = run.everything && !found.shared;
  return (found.shared || run.everything) && !run.init_phase ? Visibility::Visible : Visibility::Private;
}

}  // namespace

Visibility classify(u64 address, u64 size, bool write) { return classify(address, size, write, true); }
Visibility classify_range(u64 address, u64 size, bool write) { return classify(address, size, write, false); }

void make_shared(u64 address) {
  if (__atomic_exchange_n(class_of(address), kShared, __ATOMIC_ACQ_REL) != kShared) log_shared(address, address + 1);
  u8& code = *code_of(address);
  if (code != kDead) code = is_red(code) ? kSharedRedZone : kShared;
  note_foreign(address, address + 1);
}

Visibility classify_free(u64 address, u64 size) {
  const Scan found = scan(address, size, true, false);
  run.unshared = run.everything && !found.shared;
  return (found.shared || run.everything) && !run.init_phase ? Visibility::Visible : Visibility::Private;
}

bool open_block(u64 address, u64 size) {
  u8* active = active_of(address);
  const u8* classes = class_of(address);
  const u8 own = write_code(run.current->id);
  bool shared = false;
  for (u64 i = 0, same; i < size; i += same) {
    const u8 code = classes[i];
    same = same_codes(classes + i, size - i);
    __builtin_memset(active + i, code == kUntouched ? kFresh : code, same);
    // Another worker may have found out whose bytes these are.
    if (code >= write_code(0) && code <= write_code(kMaxThreads - 1) && code != own)
      note_owned(static_cast<ThreadId>(code - write_code(0)), address + i, address + i + same);
    else if (code == kShared)
      note_foreign(address + i, address + i + same);
    shared |= code == kShared;
  }
  return shared;
}

void close_block(u64 address, u64 size) { __builtin_memset(active_of(address), 0, size); }

void catch_up_with_session() {
  Session& session = *process.session;
  for (; process.shared_seen < session.shared_count && process.shared_seen < kMaxSharedRanges; ++process.shared_seen) {
    SharedRange& range = session.shared[process.shared_seen];
    if (__atomic_load_n(&range.ready, __ATOMIC_ACQUIRE) != 1) break;
    // Heap bytes take their class when a block is opened. The class map knows already, unless the engine was told by a
    // bug file.
    __builtin_memset(class_of(range.begin), kShared, range.size);
    note_foreign(range.begin, range.begin + range.size);
    if (!in_heap(range.begin)) __builtin_memset(active_of(range.begin), kShared, range.size);
  }
}

}  // namespace plait::runtime
