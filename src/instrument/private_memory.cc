#include "instrument/private_memory.h"

#include "instrument/llvm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace plait::instrument {

namespace {

/// Uses by intrinsics that neither let a pointer out nor need a hook (memory intrinsics are split by private side).
bool intrinsic_keeps(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline:
    case llvm::Intrinsic::vastart:
    case llvm::Intrinsic::vacopy:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::objectsize:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::assume: return true;
    default: return call.isLifetimeStartOrEnd() || call.isAssumeLikeIntrinsic();
  }
}

}  // namespace

bool escapes(llvm::Value& object) {
  llvm::SmallVector<llvm::Use*, 16> todo;
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  auto follow = [&](llvm::Value& value) {
    if (seen.insert(&value).second)
      for (llvm::Use& use : value.uses()) todo.push_back(&use);
  };
  follow(object);
  while (!todo.empty()) {
    llvm::Use& use = *todo.pop_back_val();
    llvm::User* user = use.getUser();
    if (llvm::isa<llvm::GEPOperator, llvm::BitCastOperator, llvm::AddrSpaceCastOperator>(user)) {
      if (use.getOperandNo() != 0) return true;
      follow(*user);
    } else if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) {
      continue;
    } else if (llvm::isa<llvm::StoreInst>(user)) {
      if (use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex()) return true;
    } else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
      if (use.getOperandNo() != 0) return true;
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
      if (intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
        follow(*user);
      else if (!intrinsic_keeps(*intrinsic))
        return true;
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
      // It is asked where its labels are, which changes nothing.
      const llvm::Function* callee = call->getCalledFunction();
      if (callee && callee->getName().starts_with("__plait_label_")) continue;
      if (!call->isArgOperand(&use) || !call->isByValArgument(call->getArgOperandNo(&use))) return true;
    } else {
      return true;
    }
  }
  return false;
}

llvm::Value* root_of(llvm::Value* pointer) {
  while (true) {
    if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      pointer = gep->getPointerOperand();
    else if (llvm::isa<llvm::BitCastOperator, llvm::AddrSpaceCastOperator>(pointer))
      pointer = llvm::cast<llvm::Operator>(pointer)->getOperand(0);
    else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(pointer);
             call && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
      pointer = call->getArgOperand(0);
    else
      return pointer;
  }
}

ThreadLocals::ThreadLocals(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isThreadLocal() && variable.hasLocalLinkage() && !escapes(variable)) private_.insert(&variable);
}

PrivateMemory::PrivateMemory(llvm::Function& function, const ThreadLocals& thread_locals)
    : thread_locals_(thread_locals), coroutine_(function.isPresplitCoroutine()) {}

bool PrivateMemory::is_private(llvm::Value* pointer) {
  llvm::Value* root = root_of(pointer);
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(root)) return thread_locals_.is_private(*variable);
  auto* argument = llvm::dyn_cast<llvm::Argument>(root);
  if (!llvm::isa<llvm::AllocaInst>(root) && !(argument && argument->hasByValAttr())) return false;
  if (coroutine_) return false;
  auto [entry, added] = known_.try_emplace(root, false);
  if (added) entry->second = !escapes(*root);
  return entry->second;
}

bool PrivateMemory::is_silent_source(llvm::Value* pointer) {
  auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(root_of(pointer));
  return (variable && variable->isConstant()) || is_private(pointer);
}

}  // namespace plait::instrument
