#include "instrument/jump_targets.h"

#include "instrument/llvm.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

llvm::PreservedAnalyses JumpTargetsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.callsFunctionThatReturnsTwice()) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (!call->hasFnAttr(llvm::Attribute::AlwaysInline)) call->setIsNoInline();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace plait::instrument
