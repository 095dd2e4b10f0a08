#include "runtime/unwritten.h"

#include "runtime/failure.h"
#include "runtime/heap.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

constexpr u64 kElsewhere = kMaxThreads + 1;  // the executable's own memory
constexpr u64 kObject = 1024;                // how large an object outside of the heap is, nobody knows
constexpr u64 kWordsFollowed = 64;
constexpr const char* kUses[] = {"this condition", "this address", "an argument", "the result"};  // by ValueUse

// Outside of heaps, whose map is cleared anyway, by slice: all marks lie in here.
Range marked[kMaxThreads + 2];
u64 marked_count = 0;       // no range from here on was ever used in this run
bool any_read = false;      // in this run, of bytes without a value
bool foreign_code = false;  // in this run

struct Read {
  u64 address, size;
  u32 site;
};
Read last_read[kMaxThreads];  // of bytes without a value, in this run; for messages

void note_mark(u64 begin, u64 end) {
  if (in_heap(begin)) return;
  const u64 index = in_zone(begin) ? slice_of(begin) : kElsewhere;
  Range& range = marked[index];
  if (!range.end || begin < range.begin) range.begin = begin;
  if (end > range.end) range.end = end;
  if (index >= marked_count) marked_count = index + 1;
}

/// Calls f(codes in the active map, codes in the hidden map) for up to 8 bytes at a time, and writes back what it has
/// changed. Where there are fewer than 8, f sees bytes without meaning behind them.
template <class F>
__attribute__((always_inline)) inline void in_words(u64 address, u64 size, F f) {
  u8 *active = active_of(address), *hidden = hidden_of(address);
  const auto some = [&](u64 at, auto narrow) {
    using Narrow __attribute__((aligned(1), may_alias)) = decltype(narrow);
    auto& active_place = *reinterpret_cast<Narrow*>(active + at);
    auto& hidden_place = *reinterpret_cast<Narrow*>(hidden + at);
    u64 active_codes = active_place, hidden_codes = hidden_place;
    f(active_codes, hidden_codes);
    active_place = static_cast<Narrow>(active_codes);
    hidden_place = static_cast<Narrow>(hidden_codes);
  };
  u64 i = 0;
  for (; i + 8 <= size; i += 8) some(i, u64{});
  if (size & 4) some(i, u32{}), i += 4;
  if (size & 2) some(i, u16{}), i += 2;
  if (size & 1) some(i, u8{});
}

u64 all_bits(u64 size) { return ~u64{0} >> (64 - 8 * size); }

/// A set bit for each bit of up to 8 bytes that are marked.
u64 marked_bits(u64 address, u64 size) {
  u8* active = active_of(address);
  if (size == 8) return unwritten_in(codes_at(active));
  u64 bits = 0;
  for (u64 i = 0; i < size; ++i)
    if (active[i] == kUnwritten) bits |= u64{0xff} << (8 * i);
  return bits;
}

bool is_ignored() { return process.session->options.ignore_uninitialised; }

bool can_be_marked(u64 address) { return run.active && !is_ignored() && (in_zone(address) || in_image(address)); }

/// The block around an address: its neighbours are not allocated.
Range block_around(u64 address) {
  Range block = {address, address};
  while (*active_of(block.begin - 1) != kUntouched) --block.begin;
  while (*active_of(block.end) != kUntouched) ++block.end;
  return block;
}

Range object_around(u64 address) {
  if (in_heap(address)) return block_around(address);
  const u64 stack = in_zone(address) ? slice(slice_of(address)) + kStackOffset : 0;
  const u64 end = address - stack < kStackSize ? stack + kStackSize
                  : in_zone(address)           ? address + 8
                                               : process.image_end;
  return {address, end - address < kObject ? end : address + kObject};
}

const char* text_of(u32 site) {
  const Site* place = site == kNoSite ? nullptr : site_at(site & ~kLibrarySite);
  return place ? place->text : nullptr;
}

/// A site with a text of its own names a variable.
[[noreturn]] void fail_without_value(ValueUse kind, u32 site) {
  const char* use = kUses[static_cast<u8>(kind)];
  const Read read = last_read[run.current->id];
  FailureNote note = {.kind = FailureKind::UninitialisedRead, .site = site};
  if (text_of(site) || !read.size)
    fail(note, "%s depends on %s, which has no value yet", use, text_of(site) ? text_of(site) : "a local variable");
  const char* text = text_of(read.site) ? text_of(read.site) : "memory";
  note.address = read.address;
  const BlockHeader* block = find_block(read.address);
  if (!block) fail(note, "%s depends on %s, which has no value yet", use, text);
  note.other_site = block->alloc_site;
  fail(note, "%s depends on %s, which has no value yet (offset %ld of a block of %lu bytes)", use, text,
       static_cast<long>(read.address - block_address(block)), block->size);
}

}  // namespace

void mark_unwritten(u64 address, u64 size) {
  if (size == 0 || !can_be_marked(address)) return;
  in_words(address, size, [](u64& active, u64& hidden) {
    const u64 known = unwritten_in(active);
    hidden = (hidden & known) | (active & ~known);
    active = broadcast(kUnwritten);
  });
  note_mark(address, address + size);
}

void mark_block(u64 address, u64 size) {
  if (!run.active || is_ignored()) return;
  __builtin_memcpy(hidden_of(address), active_of(address), size);
  __builtin_memset(active_of(address), kUnwritten, size);
}

void mark_bits(u64 address, u64 bits, u64 size) {
  if (bits == all_bits(size)) return mark_unwritten(address, size);
  for (u64 i = 0; i < size; ++i)
    if ((bits >> (8 * i) & 0xff) == 0xff) mark_unwritten(address + i, 1);
}

void give_values(u64 address, u64 size) {
  in_words(address, size, [](u64& active, u64& hidden) {
    const u64 found = unwritten_in(active);
    active = (active & ~found) | (hidden & found);
  });
}

bool settle_own(u64 address, u64 size) {
  const u64 own = run.current->own;
  u8 *active = active_of(address), *hidden = hidden_of(address);
  u64 i = 0, difference = 0, any = 0;
  for (; i + 8 <= size; i += 8) {
    const u64 codes = codes_at(active + i), found = unwritten_in(codes);
    any |= found;
    difference |= (codes ^ own) & ~found;
    if (found) difference |= (codes_at(hidden + i) ^ own) & found;
  }
  for (; i < size; ++i) {
    any |= active[i] == kUnwritten;
    difference |= *code_of(address + i) ^ static_cast<u8>(own);
  }
  if (difference) return false;
  if (any) give_values(address, size);
  return true;
}

u64 unwritten_bits(u64 address, u64 size, u32 site) {
  const u64 bits = marked_bits(address, size);
  if (!bits) return 0;
  if (__plait_unknown || __plait_opaque) note_foreign_code();
  if (foreign_code || is_ignored()) return 0;
  last_read[run.current->id] = {address, size, site};
  any_read = true;
  return bits;
}

void copy_marks(u64 to, u64 from, u64 size) {
  const u64 pieces = (size + 7) / 8;
  for (u64 k = 0; k < pieces; ++k) {
    const u64 i = 8 * (to > from ? pieces - 1 - k : k), bytes = size - i < 8 ? size - i : 8;
    const u64 marks = marked_bits(from + i, bytes);
    if (marks != all_bits(bytes)) mark_written(to + i, bytes);
    mark_bits(to + i, marks, bytes);
  }
}

void need_value(u64 address, u64 size, u32 site, ValueUse use) {
  if (size > 8 || !has_unwritten(address, size)) return;
  if (unwritten_bits(address, size, site) == all_bits(size)) fail_without_value(use, site);
}

void release_unwritten(u64 top) {
  Range& range = marked[run.current->id];
  if (!range.end || range.begin >= top) return;
  mark_written(range.begin, (top < range.end ? top : range.end) - range.begin);
  range.begin = top;
  if (range.begin >= range.end) range = {};
}

Range marked_stack(ThreadId thread) { return marked[thread]; }

void note_foreign_code() { foreign_code = true; }

void forget_unwritten() {
  foreign_code = false;
  if (any_read) __builtin_memset(last_read, 0, sizeof last_read);
  any_read = false;
  for (; marked_count; --marked_count) {
    Range& range = marked[marked_count - 1];
    if (range.end) mark_written(range.begin, range.end - range.begin);
    range = {};
  }
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void __plait_unwritten(void* variable, uint64_t size) { mark_unwritten(reinterpret_cast<u64>(variable), size); }

// A store that waits in a buffer takes its bits along.
void __plait_store_unwritten(void* to, uint64_t bits, uint64_t size) {
  const u64 address = reinterpret_cast<u64>(to);
  StoreBuffer& buffer = run.current->buffer;
  BufferedStore* last = buffer.count ? &buffer.store[buffer.count - 1] : nullptr;
  if (last && last->address == address && last->size == size)
    last->unwritten = bits;
  else
    mark_bits(address, bits, size);
}

// The same for a range, from and to bytes that are all ones or not.
void __plait_put_unwritten(void* to, const void* bits, uint64_t size) {
  const u8* bit = static_cast<const u8*>(bits);
  if (run.current->buffer.count) return;
  for (u64 i = 0; i < size; ++i)
    if (bit[i] == 0xff) mark_unwritten(reinterpret_cast<u64>(to) + i, 1);
}

void __plait_get_unwritten(void* bits, const void* from, uint64_t size) {
  const u64 address = reinterpret_cast<u64>(from);
  __builtin_memset(bits, 0, size);
  if (!run.active || !has_unwritten(address, size)) return;
  for (u64 i = 0; i < size; ++i)
    if (unwritten_bits(address + i, 1, kNoSite)) static_cast<u8*>(bits)[i] = 0xff;
}

// A library that is not instrumented writes to the object, and to blocks that the object refers to.
void __plait_written(void* memory) {
  const u64 address = reinterpret_cast<u64>(memory);
  if (!can_be_marked(address) || (in_heap(address) && *active_of(address) == kUntouched)) return;
  const Range object = object_around(address);
  mark_written(object.begin, object.end - object.begin);
  const u64 first = (address + 7) & ~u64{7};
  for (u64 i = 0; i < kWordsFollowed && first + 8 * i + 8 <= object.end; ++i) {
    const u64 word = *reinterpret_cast<const u64*>(first + 8 * i);
    if (!in_heap(word) || *active_of(word) == kUntouched) continue;
    const Range block = block_around(word);
    mark_written(block.begin, block.end - block.begin);
  }
}

void __plait_uninitialised(uint64_t bits, int use, const Site* site) {
  if (bits && run.active && !is_ignored()) fail_without_value(static_cast<ValueUse>(use), site_offset(site));
}
}
