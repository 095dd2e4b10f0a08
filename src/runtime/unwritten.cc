#include "runtime/unwritten.h"

#include "runtime/failure.h"
#include "runtime/heap.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

extern "C" const plait::Site __start_plait_sites[] __attribute__((weak));

namespace plait::runtime {
namespace {

constexpr u64 kElsewhere = kMaxThreads + 1;  // the executable's own memory
constexpr u64 kObject = 1024;                // how large an object outside of the heap is, nobody knows
constexpr u64 kWordsFollowed = 64;
constexpr const char* kUses[] = {"this condition", "this address", "an argument", "the result"};  // by ValueUse

Range marked[kMaxThreads + 2];  // outside of heaps, whose map is cleared anyway, by slice: all marks lie in here
bool any_marked = false;        // outside of heaps
bool foreign_code = false;      // in this run

struct Read {
  u64 address, size;
  u32 site;
};
Read last_read[kMaxThreads];  // of bytes without a value, in this run; for messages

void note_mark(u64 begin, u64 end) {
  if (in_heap(begin)) return;
  Range& range = marked[in_zone(begin) ? slice_of(begin) : kElsewhere];
  if (!range.end || begin < range.begin) range.begin = begin;
  if (end > range.end) range.end = end;
  any_marked = true;
}

bool can_be_marked(u64 address) { return run.active && (in_zone(address) || in_image(address)); }

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
  if (site == kNoSite) return nullptr;
  return reinterpret_cast<const Site*>(reinterpret_cast<u64>(__start_plait_sites) + (site & ~kLibrarySite))->text;
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
  u8* active = active_of(address);
  u8* hidden = hidden_of(address);
  if (has_unwritten(address, size)) {
    for (u64 i = 0; i < size; ++i) hidden[i] = active[i] == kUnwritten ? hidden[i] : active[i];
  } else {
    __builtin_memcpy(hidden, active, size);
  }
  __builtin_memset(active, kUnwritten, size);
  note_mark(address, address + size);
}

void mark_block(u64 address, u64 size) {
  if (!run.active) return;
  __builtin_memcpy(hidden_of(address), active_of(address), size);
  __builtin_memset(active_of(address), kUnwritten, size);
}

void mark_bits(u64 address, u64 bits, u64 size) {
  for (u64 i = 0; i < size; ++i)
    if ((bits >> (8 * i) & 0xff) == 0xff) mark_unwritten(address + i, 1);
}

void mark_written(u64 address, u64 size) {
  if (!has_unwritten(address, size)) return;
  u8* active = active_of(address);
  const u8* hidden = hidden_of(address);
  for (u64 i = 0; i < size; ++i)
    if (active[i] == kUnwritten) active[i] = hidden[i];
}

u64 unwritten_bits(u64 address, u64 size, u32 site) {
  u64 bits = 0;
  for (u64 i = 0; i < size; ++i)
    if (*active_of(address + i) == kUnwritten) bits |= u64{0xff} << (8 * i);
  if (!bits) return 0;
  if (__plait_unknown || __plait_opaque) note_foreign_code();
  if (foreign_code) return 0;
  last_read[run.current->id] = {address, size, site};
  return bits;
}

void copy_marks(u64 to, u64 from, u64 size) {
  for (u64 k = 0; k < size; ++k) {
    const u64 i = to > from ? size - 1 - k : k;
    if (*active_of(from + i) == kUnwritten)
      mark_unwritten(to + i, 1);
    else
      mark_written(to + i, 1);
  }
}

void need_value(u64 address, u64 size, u32 site, ValueUse use) {
  if (size > 8 || !has_unwritten(address, size)) return;
  if (unwritten_bits(address, size, site) == ~u64{0} >> (64 - 8 * size)) fail_without_value(use, site);
}

void release_unwritten(u64 top) {
  const Range& range = marked[run.current->id];
  if (range.end && range.begin < top) mark_written(range.begin, top - range.begin);
}

void note_foreign_code() { foreign_code = true; }

void forget_unwritten() {
  foreign_code = false;
  __builtin_memset(last_read, 0, sizeof last_read);
  if (!any_marked) return;
  for (Range& range : marked) {
    if (range.end) mark_written(range.begin, range.end - range.begin);
    range = {};
  }
  any_marked = false;
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
  if (bits && run.active) fail_without_value(static_cast<ValueUse>(use), site_offset(site));
}
}
