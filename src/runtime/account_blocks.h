// The part of a run's account that is about memory: the heap blocks that its events name, who allocated them, and who
// points to them, so that the elements of a container can have its name.
#pragma once
#include "runtime/heap.h"

namespace plait::runtime {

/// Who called whom, innermost first.
struct AccountStack {
  static constexpr u32 kDeepest = 24;
  u32 count;
  u32 call;   // the site of the call, be it in a library's code
  u64 block;  // of what it is the stack, if of one
  u64 code[kDeepest];
};

/// The stack of the block's allocation, or of its end; null: forgotten.
const AccountStack* stack_of_block(u64 address, bool freed);

struct AccountText {
  char* at;
  char* end;
  void line(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void code(const AccountStack& stack);
  bool is_full() const { return end - at < 1024; }
};

class AccountBlocks {
 public:
  explicit AccountBlocks(AccountText& text) : text_(text) {}

  /// Tells of the block at this address, once.
  void name(u64 address);
  /// Tells which blocks and global variables point to them; the former are told, too.
  void tell_owners();
  /// Does other memory point to them? Tells it.
  bool is_owner(u64 begin, u64 size);
  /// Tells what is in them.
  void tell_contents();

 private:
  static constexpr u32 kMost = 256;
  static constexpr u32 kMostPointers = 2048;

  bool is_told(u64 address) const;
  void tell(const BlockHeader* block);
  void tell_stack(u64 address, bool freed);
  bool scan_blocks();

  AccountText& text_;
  const BlockHeader* told_[kMost];
  u32 count_ = 0;
  u64 pointers_[kMostPointers];  // where they lie
  u32 pointer_count_ = 0;
};

}  // namespace plait::runtime
