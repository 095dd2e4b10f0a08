// Facets of locales: what characters are and look like. libstdc++'s own are tables that never change, behind virtual
// functions.
#pragma once
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// A virtual function that a facet of the library calls is the library's, and keeps nothing, or it is the program's.
/// Said before anything is inlined, so that functions still have their names.
class FacetsPass : public llvm::PassInfoMixin<FacetsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

bool is_call_of_facet(const llvm::CallBase& call);

}  // namespace plait::instrument
