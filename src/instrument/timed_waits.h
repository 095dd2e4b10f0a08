// Waiting for a while (std::condition_variable::wait_for, try_lock_for, future::wait_for ...) looks at a clock, but
// tells nobody what it saw: the library adds how long to now, waits until then, and compares. The runtime gives each
// such wait a clock of its own, which begins anew, so that the turns of `while (!done) cv.wait_for(lock, 10ms);` leave
// the thread in the same state (runtime/interpose_time.cc).
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Tells the runtime where such waits begin and end, and which looks at a clock are the library's own. Before anything
/// is inlined, so that functions still have their names.
class TimedWaitsPass : public llvm::PassInfoMixin<TimedWaitsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
