#include "runtime/fingerprint.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

#include "runtime/entry.h"
#include "runtime/frames.h"
#include "runtime/labels.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"
#include "runtime/snapshot.h"
#include "runtime/unwritten.h"

namespace plait::runtime {
namespace {

constexpr u32 kMaxRanges = 2048;
constexpr u64 kMostMemory = 1 * kMiB;  // of a thread's own: more is not looked at before every operation
constexpr u32 kMostObjects = 1024;
constexpr u64 kElsewhere = kMaxThreads + 1;  // index of memory outside the zone

/// Disjoint, sorted ranges of whole words. They only grow; once full, nothing can be told.
struct Ranges {
  Range range[kMaxRanges];
  u32 count;
  bool full;

  void add(u64 begin, u64 end) {
    begin &= ~u64{7};
    end = (end + 7) & ~u64{7};
    u32 first = 0;
    for (u32 low = 0, high = count; low < high;) {  // the first range that ends at or behind `begin`
      const u32 middle = (low + high) / 2;
      if (range[middle].end < begin)
        low = middle + 1;
      else
        high = middle;
      first = low;
    }
    u32 last = first;
    while (last < count && range[last].begin <= end) ++last;
    if (first < last) {
      if (range[first].begin <= begin && range[first].end >= end) return;
      if (range[first].begin < begin) begin = range[first].begin;
      if (range[last - 1].end > end) end = range[last - 1].end;
      range[first] = {begin, end};
      __builtin_memmove(range + first + 1, range + last, (count - last) * sizeof(Range));
      count -= last - first - 1;
      return;
    }
    if (count == kMaxRanges) {
      full = true;
      return;
    }
    __builtin_memmove(range + first + 1, range + first, (count - first) * sizeof(Range));
    range[first] = {begin, end};
    ++count;
  }
};

Ranges foreign[kMaxThreads + 2];  // by slice
Ranges owned[kMaxThreads];        // by thread, outside of its slice

struct Digest {
  u64 words[64];
  u32 count = 0;

  void add(u64 word) {
    words[count++] = word;
    if (count == 64) fold();
  }
  void add(const void* data, u64 size) {
    const XXH128_hash_t hash = XXH3_128bits(data, size);
    add(hash.low64);
    add(hash.high64);
  }
  void fold() {
    const XXH128_hash_t hash = XXH3_128bits(words, count * 8);
    words[0] = hash.low64;
    words[1] = hash.high64;
    count = 2;
  }
};

u64 slice_index(u64 address) { return in_zone(address) ? slice_of(address) : kElsewhere; }

/// What nobody has touched through a hook may have been written by a library, unseen; on another thread's stack it is
/// that thread's.
bool is_own(const Fiber& fiber, u64 address) {
  const u8 code = *code_of(address);
  const bool stack = in_zone(address) && !in_heap(address);
  return code == write_code(fiber.id) || code == read_code(fiber.id) ||
         (!stack && (code == kUntouched || code == kFresh));
}

/// A word without the bytes that are other threads' business.
u64 own_part(const Fiber& fiber, u64 address) {
  u64 word = 0;
  for (u64 i = 0; i < 8; ++i)
    if (is_own(fiber, address + i)) word |= static_cast<u64>(*reinterpret_cast<const u8*>(address + i)) << (8 * i);
  return word;
}

void add_memory(Digest& digest, const Fiber& fiber, u64 begin, u64 end) {
  const Ranges& holes = foreign[slice_index(begin)];
  u32 at = 0;
  for (u32 low = 0, high = holes.count; low < high;) {
    const u32 middle = (low + high) / 2;
    if (holes.range[middle].end <= begin)
      low = middle + 1;
    else
      high = middle;
    at = low;
  }
  for (; at < holes.count && holes.range[at].begin < end; ++at) {
    const Range& hole = holes.range[at];
    if (hole.begin > begin) digest.add(reinterpret_cast<const void*>(begin), hole.begin - begin);
    for (u64 a = hole.begin > begin ? hole.begin : begin & ~u64{7}; a < hole.end && a < end; a += 8)
      digest.add(own_part(fiber, a));
    begin = hole.end;
  }
  if (begin < end) digest.add(reinterpret_cast<const void*>(begin), end - begin);
}

/// Which own bytes have no value (unwritten.h): one that the program has given the value that fresh memory has is
/// another state.
void add_marks(Digest& digest, const Fiber& fiber, u64 begin, u64 end) {
  u64 last = 0;
  for (u64 a = begin; a < end; a += 8) {
    u64 marks = 0;
    const u64 bytes = end - a < 8 ? end - a : 8;
    if (has_unwritten(a, bytes))
      for (u64 i = 0; i < bytes; ++i)
        marks |= static_cast<u64>(*active_of(a + i) == kUnwritten && is_own(fiber, a + i)) << i;
    if (marks == last) continue;
    last = marks;
    digest.add(a);
    digest.add(marks);
  }
}

void add_heap(Digest& digest, const Fiber& fiber) {
  const Arena& arena = fiber.arena;
  digest.add(arena.next);
  for (u64 start = arena.floor; start < arena.next;) {
    auto* header = reinterpret_cast<const BlockHeader*>(start);
    if (header->start != start || (header->state != BlockState::Live && header->state != BlockState::Freed))
      header = reinterpret_cast<const BlockHeader*>(*reinterpret_cast<const u64*>(start)) - 1;
    if (header->start != start) break;
    const u64 begin = block_address(header), end = begin + header->size;
    // Whether a block that others use is still alive is no business of this thread alone.
    if (header->state == BlockState::Live) {
      digest.add(begin);
      add_memory(digest, fiber, begin, end);
      add_marks(digest, fiber, begin, end);
    }
    start = next_block(header);
  }
}

void add_owned(Digest& digest, const Fiber& fiber) {
  const Ranges& ranges = owned[fiber.id];
  for (u32 i = 0; i < ranges.count; ++i) {
    digest.add(ranges.range[i].begin);
    for (u64 a = ranges.range[i].begin; a < ranges.range[i].end; a += 8) digest.add(own_part(fiber, a));
  }
}

void add_objects(Digest& digest, const Fiber& fiber) {
  for (u32 i = 1; i < run.object_count; ++i) {
    const u64 key = object_key_of(i);
    const machine::Object& object = run.objects[i];
    const unsigned part = static_cast<unsigned>(key >> 56);
    const u8 code = *code_of(key & ((u64{1} << 56) - 1));
    if (code == write_code(fiber.id)) {
      digest.add(key);
      digest.add(&object, sizeof object);
    } else if (part == fiber.id + 1u ? object.count != 0 : object.owner == fiber.id) {
      digest.add(key);  // a lock that it holds
    }
  }
}

void add_runtime_state(Digest& digest, const Fiber& fiber) {
  digest.add(fiber.forks | static_cast<u64>(fiber.atomic_depth) << 32);
  digest.add(fiber.cancel_state | static_cast<u64>(fiber.cancel_type) << 8);
  digest.add(fiber.signal_mask);
  digest.add(fiber.buffer.pending.any + 2 * fiber.buffer.pending.unordered);
  digest.add(fiber.lowest_local);
  digest.add(process.session->clock_matters || fiber.timed_waits ? fiber.clock : 0);
  digest.add(fiber.timed_waits);
  digest.add(fiber.random);
  if (follows_inputs() || labels_of(*process.session).given) digest.add(fiber.inputs);
  if (process.float_modes) digest.add(read_float_modes().packed);
  digest.add(fiber.keys, fiber.keys_used * sizeof fiber.keys[0]);
  digest.add(fiber.exits, fiber.exit_count * sizeof fiber.exits[0]);
  digest.add(fiber.cleanup, fiber.cleanup_count * sizeof fiber.cleanup[0]);
  digest.add(static_cast<u64>(static_cast<u32>(*fiber.error_number)));
  if (fiber.eh_globals) digest.add(fiber.eh_globals, 16);
  u64 children = 0;
  for (unsigned t = 1; t < process.session->identity_count && t < kMaxThreads; ++t)
    if (process.session->identity[t].parent == fiber.id && fibers[t].exists)
      children = children * 4 + (fibers[t].joined * 2u + fibers[t].detached) + t * 4096;
  digest.add(children);
}

/// The stack as it is: an address that another thread uses in one frame holds a spilled register in the next, which no
/// hook sees. Dead words count as zero.
void add_stack(Digest& digest, u64 stack, u64 stack_end, const DeadWords& dead) {
  static u8 live[16 * 1024];
  u64 copied = dead.count ? dead.range[dead.count - 1].end - stack : 0;
  if (copied > sizeof live) copied = 0;
  if (copied) {
    __builtin_memcpy(live, reinterpret_cast<const void*>(stack), copied);
    for (u32 i = 0; i < dead.count; ++i)
      __builtin_memset(live + (dead.range[i].begin - stack), 0, dead.range[i].end - dead.range[i].begin);
    digest.add(live, copied);
  }
  digest.add(reinterpret_cast<const void*>(stack + copied), stack_end - stack - copied);
}

/// Registers that calls preserve, and the stack above.
void add_frames(Digest& digest, u64 stack, u64 stack_end) {
  static DeadWords dead;
  find_dead(__plait_entry, stack_end, dead);
  for (u32 kept = 0; kept < 6; ++kept) digest.add(dead.registers >> kept & 1 ? 0 : __plait_entry.kept[kept]);
  add_stack(digest, stack, stack_end, dead);
}

}  // namespace

void note_foreign(u64 begin, u64 end) { foreign[slice_index(begin)].add(begin, end); }

void note_owned(ThreadId thread, u64 begin, u64 end) {
  if (slice_index(begin) == thread) return;
  // Whole lines: library code may write the words beside, unseen.
  owned[thread].add(begin & ~u64{63}, (end + 63) & ~u64{63});
  note_foreign(begin, end);
}

void note_opaque(u32 site, const char* reason) {
  run.current->opaque = true;
  if (run.opaque_reason) return;
  run.opaque_reason = reason;
  run.opaque_site = site == kNoSite ? site : site & ~kLibrarySite;
}

State fingerprint() {
  Fiber& fiber = *run.current;
  if (!__plait_entry.stack_pointer || fiber.opaque || run.init_phase) return {};
  const u64 stack_end = slice(fiber.id) + kStackOffset + kStackSize;
  const u64 stack = __plait_entry.stack_pointer;
  if (fiber.arena.next - fiber.arena.floor + (stack_end - stack) > kMostMemory) {
    note_opaque(kNoSite, "it has more than a megabyte of memory of its own");
    return {};
  }
  if (foreign[fiber.id].full || foreign[kElsewhere].full || owned[fiber.id].full || run.object_count > kMostObjects) {
    note_opaque(kNoSite, "its memory is shared in too many pieces");
    return {};
  }
  Digest digest;
  const machine::Operation& operation = fiber.pending;
  digest.add(fiber.id | static_cast<u64>(operation.op) << 8 | static_cast<u64>(operation.size) << 16 |
             static_cast<u64>(operation.detail) << 24 | static_cast<u64>(operation.order) << 32);
  digest.add(stack);
  for (u64 i = 0; i < __plait_entry.arguments; ++i) digest.add(__plait_entry.argument[i]);
  add_frames(digest, stack, stack_end);
  if (const Range marked = marked_stack(fiber.id); marked.end > stack)
    add_marks(digest, fiber, marked.begin > stack ? marked.begin : stack, marked.end);
  for (u32 i = 0; i < tls_blocks; ++i) {
    const Range tls = tls_of(fiber, i);
    add_memory(digest, fiber, tls.begin, tls.end);
  }
  add_heap(digest, fiber);
  add_owned(digest, fiber);
  add_objects(digest, fiber);
  add_runtime_state(digest, fiber);
  if (has_labels()) digest.add(digest_labels(stack));
  __plait_entry.stack_pointer = 0;  // what comes next in this call is not in the registers' hands
  const XXH128_hash_t hash = XXH3_128bits(digest.words, digest.count * 8);
  return {hash.low64 | 1, hash.high64};  // never {0, 0}
}

}  // namespace plait::runtime
