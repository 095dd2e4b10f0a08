// Functions with __attribute__((destructor)) run when the program ends, behind all exit handlers. The loader would call
// them at the end of the process, which a run does not reach.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Makes exit handlers of them, which are registered before everybody else's: handlers run in the opposite order.
class RegisterDestructorsPass : public llvm::PassInfoMixin<RegisterDestructorsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
