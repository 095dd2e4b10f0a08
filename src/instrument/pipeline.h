// The passes that run before the instrumentation.
#pragma once
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace plait::instrument {

/// SROA, a cheap inliner, SCCP: no access to memory that threads may share is added, removed or moved by these.
void add_preparation(llvm::ModulePassManager& passes, llvm::OptimizationLevel level);

}  // namespace plait::instrument
