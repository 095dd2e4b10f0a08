#include "instrument/quiet.h"

#include <algorithm>

#include "instrument/assembly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace plait::instrument {

namespace {

constexpr int kDeepest = 3;

Noise noise_of(const llvm::Function& function, int depth);

/// Of what is not compiled here.
Noise noise_of_library(llvm::StringRef name) {
  return llvm::StringSwitch<Noise>(name)
      .Cases("sched_yield", "thrd_yield", "pthread_yield", "__plait_turn", "__plait_begin_turns", Noise::None)
      .Cases("usleep", "sleep", "__plait_sleep", Noise::Sleeps)
      .Cases("pthread_mutex_trylock", "pthread_spin_trylock", "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock",
             "mtx_trylock", "sem_trywait", Noise::Reads)
      .Default(Noise::Other);
}

Noise noise_of_call(const llvm::CallBase& call, int depth) {
  if (auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    const AssemblyEffect effect = effect_of(*assembly);
    return effect.unknown ? Noise::Other : effect.fence ? Noise::Reads : Noise::None;
  }
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (intrinsic->getIntrinsicID() == llvm::Intrinsic::x86_sse2_pause || intrinsic->isAssumeLikeIntrinsic())
      return intrinsic->isLifetimeStartOrEnd() ? Noise::Other : Noise::None;
    return call.mayReadOrWriteMemory() ? Noise::Other : Noise::None;
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return Noise::Other;
  if (callee->isDeclaration() && callee->doesNotAccessMemory() && callee->willReturn()) return Noise::None;
  if (callee->isDeclaration()) return noise_of_library(callee->getName());
  if (callee->isInterposable()) return Noise::Other;
  return noise_of(*callee, depth + 1);
}

Noise noise_of(const llvm::Instruction& instruction, int depth) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return noise_of_call(*call, depth);
  if (llvm::isa<llvm::LoadInst, llvm::FenceInst, llvm::AtomicCmpXchgInst>(instruction)) return Noise::Reads;
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    switch (rmw->getOperation()) {  // those that change nothing when they are repeated
      case llvm::AtomicRMWInst::Xchg:
      case llvm::AtomicRMWInst::And:
      case llvm::AtomicRMWInst::Or:
      case llvm::AtomicRMWInst::Max:
      case llvm::AtomicRMWInst::Min:
      case llvm::AtomicRMWInst::UMax:
      case llvm::AtomicRMWInst::UMin: return Noise::Reads;
      default: return Noise::Other;
    }
  }
  return instruction.mayReadOrWriteMemory() ? Noise::Other : Noise::None;
}

bool has_loops(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> met;
  llvm::SmallVector<const llvm::BasicBlock*, 16> path;
  // Depth first; `path` is what is open.
  const auto visit = [&](const auto& self, const llvm::BasicBlock* block) -> bool {
    if (llvm::is_contained(path, block)) return true;
    if (!met.insert(block).second) return false;
    path.push_back(block);
    const bool found = llvm::any_of(llvm::successors(block), [&](const auto* next) { return self(self, next); });
    path.pop_back();
    return found;
  };
  return visit(visit, &function.getEntryBlock());
}

Noise noise_of(const llvm::Function& function, int depth) {
  if (depth > kDeepest || function.size() > 64 || has_loops(function)) return Noise::Other;
  Noise noise = Noise::None;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    noise = std::max(noise, noise_of(instruction, depth));
    if (noise == Noise::Other) break;
  }
  return noise;
}

}  // namespace

Noise noise_of(const llvm::Instruction& instruction) { return noise_of(instruction, 0); }

Noise noise_of(const llvm::Function& function) { return noise_of(function, 0); }

}  // namespace plait::instrument
