#include "instrument/lifetimes.h"

#include "instrument/describe.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

namespace {

/// Where a function is left. A musttail call hands its frame on.
llvm::SmallVector<llvm::Instruction*, 4> exits_of(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 4> exits;
  for (llvm::BasicBlock& block : function) {
    llvm::Instruction* last = block.getTerminator();
    if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(last) && !block.getTerminatingMustTailCall()) exits.push_back(last);
  }
  return exits;
}

}  // namespace

Lifetimes collect_lifetimes(llvm::Function& function, Sites& sites, const ThreadLocals& thread_locals) {
  Lifetimes found;
  if (function.isPresplitCoroutine()) return found;  // its frame is on the heap
  PrivateMemory memory(function, thread_locals);
  Describer describer(function);
  const auto exits = exits_of(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || !variable->isStaticAlloca() || variable->isSwiftError() || variable->isUsedWithInAlloca()) continue;
    if (memory.is_private(variable)) continue;
    const auto size = variable->getAllocationSize(function.getDataLayout());
    if (!size || size->isScalable() || size->isZero()) continue;
    const uint64_t bytes = size->getFixedValue();
    const std::string name = describer.access(variable, bytes);
    auto add = [&](llvm::Instruction& at, bool begins) { found.push_back({&at, variable, bytes, sites.site(at, name), begins}); };
    bool marked = false;
    for (llvm::User* user : variable->users()) {
      auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (!marker || !marker->isLifetimeStartOrEnd()) continue;
      marked = true;
      add(*marker, marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start);
    }
    if (marked) continue;
    add(*variable, true);
    for (llvm::Instruction* exit : exits) add(*exit, false);
  }
  return found;
}

void instrument_lifetimes(const Lifetimes& lifetimes, Hooks& hooks) {
  for (const Lifetime& life : lifetimes) {
    Builder b(life.begins ? life.at->getNextNode() : life.at);
    hooks.lifetime(b, life.begins, life.variable, b.getInt64(life.size), life.site);
  }
}

}  // namespace plait::instrument
