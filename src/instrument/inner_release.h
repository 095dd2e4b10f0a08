// std::stop_source tells the owner of a callback that it has run by releasing a semaphore inside of the callback, which
// the owner may destroy as soon as it sees that. What is left of the release then is a wake-up by address, which looks
// at no memory. In a program's own semaphore that is an error; the library counts on its own implementation.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Tells the runtime which release that is. Before anything is inlined.
class InnerReleasePass : public llvm::PassInfoMixin<InnerReleasePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
