// A destructor begins by storing which class it is the destructor of. For an object's own class that changes nothing,
// and C++ knows no such store: another thread may call virtual functions until the destructor's body has joined it.
#pragma once
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Such stores are done only if they change something. Before anything is inlined, so that destructors still have their
/// names.
class UnchangedVtablesPass : public llvm::PassInfoMixin<UnchangedVtablesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
