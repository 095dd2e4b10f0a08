// Where longjmp comes back to. What was called from there must have a frame of its own, or its locals would be the
// caller's, whose end nobody sees.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Nothing is inlined into functions that call setjmp. Before anything is.
class JumpTargetsPass : public llvm::PassInfoMixin<JumpTargetsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
