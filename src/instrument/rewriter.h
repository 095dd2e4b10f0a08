// What the files that rewrite accesses share. One Rewriter per function; each rewrite_* replaces one instruction,
// erases it, and may assume that it was selected (it is not private).
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

struct Rewriter {
  llvm::Function& function;
  Hooks& hooks;
  const llvm::DataLayout& layout;
  llvm::AllocaInst* scratch_memory = nullptr;

  /// A private temporary of at least `size` bytes, for the instant: the next use overwrites it.
  llvm::Value* scratch(uint64_t size);

  // accesses.cc
  void rewrite_load(llvm::LoadInst& load, llvm::Constant* site);
  void rewrite_store(llvm::StoreInst& store, llvm::Constant* site);
  llvm::Value* plain_load(Builder& b, llvm::Type* type, llvm::Value* from, llvm::Constant* site);
  void plain_store(Builder& b, llvm::Value* value, llvm::Value* to, llvm::Constant* site);
  // atomics.cc
  void rewrite_rmw(llvm::AtomicRMWInst& rmw, llvm::Constant* site);
  void rewrite_cas(llvm::AtomicCmpXchgInst& cas, llvm::Constant* site);
  void rewrite_fence(llvm::FenceInst& fence, llvm::Constant* site);
  void drain_before(llvm::Instruction& instruction, llvm::Constant* site);
  // intrinsics.cc
  void rewrite_copy(llvm::AnyMemTransferInst& copy, bool silent_source, bool private_target, llvm::Constant* site);
  void rewrite_fill(llvm::AnyMemSetInst& fill, llvm::Constant* site);
  void rewrite_x86_fence(llvm::IntrinsicInst& call, llvm::Constant* site);
  // masked.cc
  void rewrite_masked(llvm::IntrinsicInst& call, llvm::Constant* site);
};

/// Values travel as integers of their size.
llvm::Value* to_integer(Builder& b, llvm::Value* value, unsigned size);
llvm::Value* from_integer(Builder& b, llvm::Value* integer, llvm::Type* type);

/// 1, 2, 4, 8 or 16 when a value of this type is an integer of that many bytes in memory; 0: only as a range of bytes.
unsigned integer_size(llvm::Type* type, const llvm::DataLayout& layout);

Order order_of(llvm::AtomicOrdering ordering);

/// atomicrmw operations that the runtime does not have (floating-point minimum ...) become compare-and-swap loops.
void expand_rare_atomics(llvm::Function& function);

bool is_masked_access(const llvm::IntrinsicInst& call);
bool is_x86_fence(const llvm::IntrinsicInst& call);

}  // namespace plait::instrument
