// The instrumentation of one module.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

struct InstrumentPass : llvm::PassInfoMixin<InstrumentPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }  // also for optnone functions
};

}  // namespace plait::instrument
