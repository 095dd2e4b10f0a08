// nanosleep takes how long from memory, so that a local variable's address leaves its function: one that back-off loops
// write to in each turn (std::this_thread::sleep_for). By value it stays a register.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Sleeps for what a local variable says. Before variables become registers.
class SleepByValuePass : public llvm::PassInfoMixin<SleepByValuePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
