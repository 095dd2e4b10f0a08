#include "instrument/facets.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace plait::instrument {

namespace {

constexpr const char* kFacetCall = "plait-facet";

bool starts_with_one_of(llvm::StringRef name, llvm::ArrayRef<const char*> beginnings) {
  return llvm::any_of(beginnings, [&](const char* beginning) { return name.starts_with(beginning); });
}

/// Those whose virtual functions touch nothing but what they are handed by value or as private buffers.
bool is_facet(llvm::StringRef name) {
  return starts_with_one_of(name, {"_ZNKSt5ctypeIcE", "_ZNKSt7__cxx117collateIcE", "_ZNKSt7__cxx118numpunctIcE"});
}

}  // namespace

bool is_call_of_facet(const llvm::CallBase& call) { return call.hasFnAttr(kFacetCall); }

llvm::PreservedAnalyses FacetsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !is_facet(function.getName())) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isIndirectCall())
        call->addFnAttr(llvm::Attribute::get(module.getContext(), kFacetCall));
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace plait::instrument
