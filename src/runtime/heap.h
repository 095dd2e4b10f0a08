// The program's heap: one bump arena per thread at a fixed address, nothing is reused inside a run, every block is
// followed by a gap. So addresses depend on the thread's own history only, and an access outside of a live block is
// always seen.
#pragma once
#include "runtime/layout.h"
#include "trace/session.h"

namespace plait {
struct Site;
}

namespace plait::runtime {

struct Arena {
  u64 begin = 0;
  u64 next = 0;   // first unused byte
  u64 floor = 0;  // bytes below were allocated before main and survive a reset
};

enum class BlockState : u32 { Live = 0x504c4c49, Freed = 0x504c4652 };

/// Lies right before each block. Its owner's history decides how large a block is; who frees it need not know. Where
/// that matters (Runners::share_block_size), the size is told: a store of who allocates, a load of who frees.
struct BlockHeader {
  u64 size;
  BlockState state;
  u32 alloc_site;
  u32 free_site;
  ThreadId alloc_thread, free_thread;
  u16 freed_alone;  // before the first fork: whoever uses it, fails, whatever others do
  u64 start;        // address of the header in the arena's chain: blocks can be walked
};
static_assert(sizeof(BlockHeader) == kBlockSizeOffset);

/// No machine has as much: the program is told so, and that is no limit of ours.
inline constexpr u64 kImpossible = 1ull << 47;

void* allocate(u64 size, u64 alignment, u32 site, bool zeroed);
/// `what` names the call for messages. Null is fine. Memory that is not ours goes to libc.
void release(void* pointer, u32 site, const char* what);
/// Without visible effect: exception objects and other memory that the language runtime manages.
void release_quietly(void* pointer);
u64 block_size(void* pointer);

/// The block that holds `address` or lies right below it; null if none. Walks the arena: for messages only.
BlockHeader* find_block(u64 address);
/// All blocks of a thread, or of those from before main (kBootSlice), in order; null: there are no more.
BlockHeader* first_block(unsigned owner);
BlockHeader* block_after(const BlockHeader* block, unsigned owner);
inline constexpr u64 kBlockGap = 16;  // after each block: overflows are seen
inline u64 block_address(const BlockHeader* header) { return reinterpret_cast<u64>(header + 1); }
/// Where the chain of blocks goes on.
inline u64 next_block(const BlockHeader* header) {
  return (block_address(header) + header->size + kBlockGap + 15) & ~u64{15};
}

/// Before main: allocations belong to the boot arena and are part of the initial state.
Arena& boot_arena();
void reset_arena(Arena& arena);
/// Blocks from before main are as they were when main began.
void reset_boot_blocks();

}  // namespace plait::runtime
