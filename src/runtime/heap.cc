#include "runtime/heap.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/account.h"
#include "runtime/failure.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

constexpr u64 kLarge = 1 * kMiB;  // larger blocks are not filled, their pages are dropped between runs
constexpr int kFill = 0xbe;       // what uninitialised memory holds: the same in every run
constexpr u64 kBootSize = 1 * kGiB;

Arena boot;

/// The run may not have more than that (--run-memory), whatever the machine has.
void count_allocated(u64 size, u32 site) {
  const u64 budget = process.session->options.run_megabytes * kMiB;
  if (!run.active || budget == 0) return;
  run.allocated += size;
  if (run.allocated > budget)
    fail({.kind = FailureKind::OutOfResources, .site = site},
         "out of memory: the run has allocated more than %u MB (--run-memory)", process.session->options.run_megabytes);
}

/// Is the size of that block memory that threads share? Not with store buffers: it would wait there.
bool tells_size(const BlockHeader* header) {
  return *class_of(reinterpret_cast<u64>(&header->size)) == kShared && run.active && !run.init_phase &&
         !run.memory.buffers;
}

/// Relaxed: nothing is ordered by it, and it is no race.
void tell_size(const BlockHeader* header, Op op, u32 site) {
  begin_operation();
  run.unshared = false;
  Event& event = await_turn({.op = op,
                             .size = 8,
                             .order = Order::Relaxed,
                             .site = site,
                             .location = reinterpret_cast<u64>(&header->size),
                             .operand = op == Op::Store ? header->size : 0});
  event.value = op == Op::Load ? header->size : 0;
}

Arena& current_arena() { return run.active ? run.current->arena : boot_arena(); }

}  // namespace

Arena& boot_arena() {
  if (!boot.begin) {
    const u64 base = slice(kBootSlice);
    if (mmap(reinterpret_cast<void*>(base), kBootSize, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != reinterpret_cast<void*>(base))
      die("cannot map the heap at its fixed address");
    boot.begin = boot.next = boot.floor = base + kPage;
  }
  return boot;
}

void* allocate(u64 size, u64 alignment, u32 site, bool zeroed) {
  Arena& arena = current_arena();
  if (alignment < 16) alignment = 16;
  if (size >= kLarge && alignment < kPage) alignment = kPage;
  const u64 start = arena.next;
  const u64 address = (start + sizeof(BlockHeader) + alignment - 1) & ~(alignment - 1);
  const u64 capacity = arena.begin == boot.begin ? kBootSize : kArenaSize;
  if (size >= kImpossible) return nullptr;
  if (size > capacity || address + size + kBlockGap > arena.begin + capacity - kPage) {
    count_allocated(size, site);  // would a machine have had that?
    return nullptr;
  }
  count_allocated(size, site);
  arena.next = (address + size + kBlockGap + 15) & ~u64{15};
  auto* header = reinterpret_cast<BlockHeader*>(address) - 1;
  *header = {.size = size,
             .state = BlockState::Live,
             .alloc_site = site,
             .free_site = kNoSite,
             .alloc_thread = run.current->id,
             .free_thread = kNoThread,
             .freed_alone = 0,
             .start = start};
  if (const u64 hole =
          address - start - sizeof(BlockHeader)) {  // for alignment: find_block must be able to step over it
    *reinterpret_cast<u64*>(start) = address;
    if (hole >= sizeof(BlockHeader)) reinterpret_cast<BlockHeader*>(start)->start = 0;
  }
  account_block(address, false);
  if (size < kLarge) __builtin_memset(reinterpret_cast<void*>(address), zeroed ? 0 : kFill, size);
  if ((open_block(address, size) || run.everything) && run.active && !run.init_phase) {
    Event& event = record_free(Op::Alloc, address, 0, site);
    event.operand = size;
    event.extra = zeroed || size >= kLarge ? 0 : kFill;
  }
  if (tells_size(header)) tell_size(header, Op::Store, site);
  return reinterpret_cast<void*>(address);
}

void release_quietly(void* pointer) {
  auto* header = static_cast<BlockHeader*>(pointer) - 1;
  header->state = BlockState::Freed;
  header->free_thread = run.current->id;
  header->freed_alone = run.init_phase;
  close_block(reinterpret_cast<u64>(pointer), header->size);
}

void release(void* pointer, u32 site, const char* what) {
  const u64 address = reinterpret_cast<u64>(pointer);
  if (!pointer) return;
  if (!in_heap(address)) {
    if (run.active && (in_zone(address) || in_image(address)))
      fail({.kind = FailureKind::InvalidFree, .site = site, .address = address},
           "%s of memory that is not from the heap", what);
    PLAIT_REAL(free)(pointer);
    return;
  }
  auto* header = reinterpret_cast<BlockHeader*>(address) - 1;
  if (!run.active) {
    if (header->state == BlockState::Live) release_quietly(pointer);
    return;
  }
  begin_operation();
  if (header->state != BlockState::Live && header->state != BlockState::Freed)
    fail({.kind = FailureKind::InvalidFree, .site = site, .address = address},
         "%s of an address that is no block's start", what);
  const u64 size = header->size ? header->size : 1;  // an empty block can be freed twice, too
  const bool visible = !header->freed_alone && classify_free(address, size) == Visibility::Visible;
  if (visible && !run.unshared && tells_size(header)) {  // not if only runs that record everything would tell
    tell_size(header, Op::Load, site);
    begin_operation();
  }
  if (visible)
    await_turn({.op = Op::Free, .site = site, .location = address, .operand = size, .span = static_cast<u32>(size)});
  if (header->state == BlockState::Freed)
    fail({.kind = FailureKind::DoubleFree,
          .site = site,
          .address = address,
          .other_site = header->free_site,
          .cause = visible ? FailureNote::Cause::Operation : FailureNote::Cause::History},
         "%s of a block of %lu bytes that T%u has already freed", what, header->size, header->free_thread);
  header->free_site = site;
  account_block(address, true);
  if (visible) end_objects(address, address + size);
  release_quietly(pointer);
}

u64 block_size(void* pointer) {
  if (!in_heap(reinterpret_cast<u64>(pointer))) return PLAIT_REAL(malloc_usable_size)(pointer);
  return (static_cast<BlockHeader*>(pointer) - 1)->size;
}

namespace {

/// The block at this place in the arena's chain; null: it was overwritten by the program, no more can be told.
BlockHeader* block_in_chain(u64 start) {
  auto* header = reinterpret_cast<BlockHeader*>(start);
  if (header->start != start || (header->state != BlockState::Live && header->state != BlockState::Freed))
    header = reinterpret_cast<BlockHeader*>(*reinterpret_cast<u64*>(start)) - 1;
  return header->start == start ? header : nullptr;
}

}  // namespace

BlockHeader* find_block(u64 address) {
  if (!in_heap(address)) return nullptr;
  const unsigned owner = slice_of(address);
  const Arena& arena = owner == kBootSlice ? boot : fibers[owner].arena;
  BlockHeader* best = nullptr;
  for (u64 start = arena.begin; start < arena.next;) {
    BlockHeader* header = block_in_chain(start);
    if (!header) break;
    if (block_address(header) > address) {
      // Right before a block, and not in or right behind the one below: an underflow of this one.
      const bool near_best = best && address < block_address(best) + best->size + kBlockGap;
      return near_best || block_address(header) > address + 64 ? best : header;
    }
    best = header;
    start = next_block(header);
  }
  return best;
}

BlockHeader* first_block(unsigned owner) {
  const Arena& arena = owner == kBootSlice ? boot : fibers[owner].arena;
  return arena.begin && arena.begin < arena.next ? block_in_chain(arena.begin) : nullptr;
}

BlockHeader* block_after(const BlockHeader* block, unsigned owner) {
  const Arena& arena = owner == kBootSlice ? boot : fibers[owner].arena;
  const u64 next = next_block(block);
  return next < arena.next ? block_in_chain(next) : nullptr;
}

void reset_arena(Arena& arena) {
  const u64 used = arena.next - arena.floor;
  arena.next = arena.floor;
  if (used == 0) return;
  if (used < kLarge) {
    __builtin_memset(active_of(arena.floor), 0, used);
    return;
  }
  const u64 first = (arena.floor + kPage - 1) & ~(kPage - 1);
  const u64 pages = (used + kPage - 1) & ~(kPage - 1);
  __builtin_memset(active_of(arena.floor), 0, first - arena.floor);
  PLAIT_REAL(madvise)(active_of(first), pages, MADV_DONTNEED);
  PLAIT_REAL(madvise)(reinterpret_cast<void*>(first), pages, MADV_DONTNEED);
}

void reset_boot_blocks() {
  if (!boot.begin) return;
  for (u64 start = boot.begin; start < boot.floor;) {
    auto* header = reinterpret_cast<BlockHeader*>(start);
    if (header->start != start) header = reinterpret_cast<BlockHeader*>(*reinterpret_cast<u64*>(start)) - 1;
    if (header->state == BlockState::Live) open_block(block_address(header), header->size);
    start = next_block(header);
  }
}

}  // namespace plait::runtime
