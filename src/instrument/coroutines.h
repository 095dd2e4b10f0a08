// What a coroutine keeps in its frame (where to go on, its locals) becomes memory behind this pass: LLVM splits
// coroutines later. So that others see those accesses, a coroutine that suspends writes to its frame, and who resumes,
// destroys or asks it reads there: the second pointer, whose value never changes.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Adds these accesses. Before anything is inlined.
class CoroutineFramesPass : public llvm::PassInfoMixin<CoroutineFramesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
