// Waiting until a time from now: `cv.wait_until(lock, steady_clock::now() + 10ms)`. Where what a look at the clock says
// goes to such waits only, by way of local variables, nobody else can tell what time it is. So time may begin anew
// where the variables begin, as with waits for a while (instrument/timed_waits.h), and the turns of a loop around such
// a wait leave the thread in the same state.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Finds such looks, and tells the runtime when their variables live. Before anything is inlined, so that functions
/// still have their names.
class DeadlinesPass : public llvm::PassInfoMixin<DeadlinesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
