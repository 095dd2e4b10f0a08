// Tab-separated lines; all numbers but sites and threads are hex:
//   B <begin> <size> <thread> <site> <freed: 0 or 1> <thread> <site> <call>   a block; `call` may be a library's code
//   A|F <begin> <code> ...   the stack of the block's allocation, of its end
//   P <address> <value>      a pointer to such a block, where the run ended
//   M <begin> <bytes>        what such a block begins with then
#include "runtime/account_blocks.h"

#include <stdarg.h>
#include <stdio.h>

#include "runtime/modules.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

constexpr u64 kMostBytes = 96;      // of a block that are told
constexpr u64 kLargest = 64 << 10;  // of variables and blocks that are looked at
constexpr u32 kRounds = 12;         // from a list's element to its head there may be many

}  // namespace

void AccountText::line(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(at, static_cast<size_t>(end - at), format, arguments);
  va_end(arguments);
  if (length > 0 && length < end - at) at += length;
}

void AccountText::code(const AccountStack& stack) {
  for (u32 i = 0; i < stack.count; ++i) line("\t%lx", stack.code[i]);
  line("\n");
}

bool AccountBlocks::is_told(u64 address) const {
  for (u32 i = 0; i < count_; ++i)
    if (address - block_address(told_[i]) < told_[i]->size) return true;
  return false;
}

void AccountBlocks::name(u64 address) {
  if (!in_heap(address) || is_told(address)) return;
  if (const BlockHeader* block = find_block(address)) tell(block);
}

void AccountBlocks::tell(const BlockHeader* block) {
  if (count_ == kMost || text_.is_full()) return;
  for (u32 i = 0; i < count_; ++i)
    if (told_[i] == block) return;
  told_[count_++] = block;
  const bool freed = block->state == BlockState::Freed;
  const AccountStack* made = stack_of_block(block_address(block), false);
  const u32 call = made && made->call != kNoSite ? made->call & ~kLibrarySite : block->alloc_site;
  text_.line("B\t%lx\t%lx\t%u\t%u\t%u\t%u\t%u\t%u\n", block_address(block), block->size, block->alloc_thread,
             block->alloc_site, freed, freed ? block->free_thread : kNoThread, freed ? block->free_site : kNoSite,
             call);
  tell_stack(block_address(block), false);
  tell_stack(block_address(block), true);
}

void AccountBlocks::tell_stack(u64 address, bool freed) {
  const AccountStack* stack = stack_of_block(address, freed);
  if (!stack) return;
  text_.line("%c\t%lx", freed ? 'F' : 'A', address);
  text_.code(*stack);
}

bool AccountBlocks::is_owner(u64 begin, u64 size) {
  bool found = false;
  const u64 end = begin + (size < kLargest ? size : kLargest);
  for (u64 at = (begin + 7) & ~u64{7}; at + 8 <= end; at += 8) {
    const u64 value = *reinterpret_cast<const u64*>(at);
    if (!in_heap(value) || !is_told(value)) continue;
    found = true;
    bool known = pointer_count_ == kMostPointers || text_.is_full();
    for (u32 i = 0; i < pointer_count_ && !known; ++i) known = pointers_[i] == at;
    if (known) continue;
    pointers_[pointer_count_++] = at;
    text_.line("P\t%lx\t%lx\n", at, value);
  }
  return found;
}

/// Blocks that point to told ones are told, too. Were there new ones?
bool AccountBlocks::scan_blocks() {
  const u32 before = count_;
  for (unsigned owner = 0; owner <= kBootSlice; ++owner)
    for (BlockHeader* block = first_block(owner); block; block = block_after(block, owner))
      if (block->state == BlockState::Live && is_owner(block_address(block), block->size)) tell(block);
  return count_ != before;
}

void AccountBlocks::tell_owners() {
  for (u32 round = 0; round < kRounds && scan_blocks() && !text_.is_full(); ++round) {
  }
  for (u32 i = 0; i < module_count; ++i)
    for (const GlobalVariable* variable = modules[i].globals; variable < modules[i].globals_end; ++variable)
      is_owner(reinterpret_cast<u64>(variable->address), variable->size);
}

void AccountBlocks::tell_contents() {
  for (u32 i = 0; i < count_ && !text_.is_full(); ++i) {
    const u64 size = told_[i]->size < kMostBytes ? told_[i]->size : kMostBytes;
    const auto* bytes = reinterpret_cast<const unsigned char*>(block_address(told_[i]));
    if (size == 0) continue;
    text_.line("M\t%lx\t", block_address(told_[i]));
    for (u64 k = 0; k < size; ++k) text_.line("%02x", bytes[k]);
    text_.line("\n");
  }
}

}  // namespace plait::runtime
