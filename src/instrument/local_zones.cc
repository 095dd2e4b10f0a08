#include "instrument/local_zones.h"

#include <algorithm>

#include "instrument/describe.h"
#include "llvm/Analysis/StackSafetyAnalysis.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

namespace {

constexpr uint64_t kUnit = 32, kMost = 256;

bool returns_twice(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->hasFnAttr(llvm::Attribute::ReturnsTwice);
}

/// The frame's own address must stay this function's.
void forbid_inlining(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::AlwaysInline);
  function.addFnAttr(llvm::Attribute::NoInline);
}

void guard(const StackWork::Variable& item, Hooks& hooks) {
  llvm::AllocaInst& old = *item.variable;
  Builder b(&old);
  const uint64_t element = old.getDataLayout().getTypeAllocSize(old.getAllocatedType()).getFixedValue();
  const uint64_t front = std::max(kUnit, old.getAlign().value());
  llvm::Value* size = b.CreateMul(b.CreateZExtOrTrunc(old.getArraySize(), b.getInt64Ty()), b.getInt64(element));
  llvm::Value* total = b.CreateAnd(b.CreateAdd(size, b.getInt64(front + 2 * kUnit - 1)), b.getInt64(~(kUnit - 1)));
  llvm::Value* back = b.CreateSub(b.CreateSub(total, size), b.getInt64(front));
  llvm::AllocaInst* block = b.CreateAlloca(b.getInt8Ty(), total);
  block->setAlignment(std::max(old.getAlign(), llvm::Align(kUnit)));
  llvm::Value* variable = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, front);
  variable->takeName(&old);
  hooks.guard(b, variable, size, b.CreateOr(b.CreateShl(back, 32), front), item.site);
  old.replaceAllUsesWith(variable);
  old.eraseFromParent();
}

/// The parameter moves to a variable of this function.
void guard(llvm::Function& function, const StackWork::Parameter& item, llvm::ArrayRef<llvm::Instruction*> exits,
           Hooks& hooks) {
  llvm::Argument& argument = *item.argument;
  Builder b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::Type* type = argument.getParamByValType();
  const uint64_t size = function.getDataLayout().getTypeAllocSize(type).getFixedValue();
  const llvm::Align alignment =
      std::max(argument.getParamAlign().valueOrOne(), function.getDataLayout().getABITypeAlign(type));
  const Zones zones = zones_of(size, alignment);
  llvm::AllocaInst* variable = b.CreateAlloca(type, nullptr, argument.getName());
  variable->setAlignment(alignment);
  argument.replaceAllUsesWith(variable);
  hooks.lifetime(b, true, variable, b.getInt64(size), b.getInt64(zones.packed()), item.site);
  b.CreateMemCpy(variable, alignment, &argument, argument.getParamAlign(), size);
  for (llvm::Instruction* exit : exits) {
    Builder at_exit(exit);
    hooks.lifetime(at_exit, false, variable, b.getInt64(size), b.getInt64(zones.packed()), item.site);
  }
  make_room(*variable, zones);
}

bool hands_its_frame_on(const llvm::Function& function) {
  return llvm::any_of(function, [](const llvm::BasicBlock& block) { return block.getTerminatingMustTailCall(); });
}

}  // namespace

UnsafeLocals::UnsafeLocals(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const llvm::StackSafetyGlobalInfo& safety = analyses.getResult<llvm::StackSafetyGlobalAnalysis>(module);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction); variable && !safety.isSafe(*variable))
        unsafe_.insert(variable);
}

Zones zones_of(uint64_t size, llvm::Align alignment) {
  const uint64_t behind = std::clamp(size / 8, kUnit, kMost);
  return {std::max(kUnit, alignment.value()), llvm::alignTo(size + behind, 16) - size};
}

void make_room(llvm::AllocaInst& old, Zones zones) {
  const uint64_t total = zones.front + old.getAllocationSize(old.getDataLayout())->getFixedValue() + zones.back;
  Builder b(&old);
  llvm::AllocaInst* block = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), total));
  block->setAlignment(std::max(old.getAlign(), llvm::Align(16)));
  block->copyMetadata(old);
  llvm::Value* variable = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, zones.front);
  variable->takeName(&old);
  for (llvm::User* user : llvm::make_early_inc_range(old.users())) {
    auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (!marker || !marker->isLifetimeStartOrEnd()) continue;
    marker->setArgOperand(0, b.getInt64(total));
    marker->setArgOperand(1, block);
  }
  old.replaceAllUsesWith(variable);
  old.eraseFromParent();
}

llvm::SmallVector<llvm::Instruction*, 4> exits_of(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 4> exits;
  for (llvm::BasicBlock& block : function) {
    llvm::Instruction* last = block.getTerminator();
    if (llvm::CallInst* handed_on = block.getTerminatingMustTailCall())
      exits.push_back(handed_on);
    else if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(last))
      exits.push_back(last);
  }
  return exits;
}

StackWork collect_stack_work(llvm::Function& function, Sites& sites, const ThreadLocals& thread_locals) {
  StackWork work;
  PrivateMemory memory(function, thread_locals);
  Describer describer(function);
  bool arrives_twice = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (llvm::isa<llvm::LandingPadInst>(instruction) || returns_twice(instruction))
      work.arrivals.push_back(&instruction);
    arrives_twice |= returns_twice(instruction);
    if (intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::stackrestore) work.restores.push_back(intrinsic);
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || variable->isStaticAlloca() || variable->isUsedWithInAlloca() || function.isPresplitCoroutine())
      continue;
    if (memory.is_private(variable)) continue;
    work.variables.push_back({variable, sites.site(*variable, describer.access(variable, 0))});
  }
  const bool movable = !function.isPresplitCoroutine() && !hands_its_frame_on(function);
  for (llvm::Argument& argument : function.args())
    if (movable && argument.hasByValAttr() && !memory.is_private(&argument))
      work.parameters.push_back(
          {&argument, sites.site(*function.getEntryBlock().getFirstNonPHIOrDbg(), describer.access(&argument, 0))});
  work.exits = exits_of(function);
  work.releases = !work.variables.empty() || arrives_twice;
  return work;
}

void instrument_stack(llvm::Function& function, const StackWork& work, Hooks& hooks) {
  for (llvm::Instruction* arrival : work.arrivals) {
    Builder b(arrival->getNextNode());
    hooks.unwound(b);
  }
  for (llvm::IntrinsicInst* restore : work.restores) {
    Builder b(restore);
    hooks.release_stack(b, restore->getArgOperand(0));
  }
  for (const StackWork::Parameter& item : work.parameters) guard(function, item, work.exits, hooks);
  for (llvm::Instruction* exit : work.releases ? work.exits : llvm::SmallVector<llvm::Instruction*, 4>{}) {
    Builder b(exit);
    hooks.release_stack(b, b.CreateIntrinsic(llvm::Intrinsic::addressofreturnaddress, {b.getPtrTy()}, {}));
  }
  if (work.releases) forbid_inlining(function);
  for (const StackWork::Variable& item : work.variables) guard(item, hooks);
}

}  // namespace plait::instrument
