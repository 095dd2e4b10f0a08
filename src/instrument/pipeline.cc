#include "instrument/pipeline.h"

#include "llvm/Analysis/InlineCost.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/Scalar/SROA.h"

namespace plait::instrument {

static llvm::cl::opt<int> inline_threshold(
    "plait-inline-threshold", llvm::cl::init(40), llvm::cl::Hidden,
    llvm::cl::desc("Inline up to this cost before instrumenting (0: only what is always inlined)"));

void add_preparation(llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
  if (level == llvm::OptimizationLevel::O0) return;
  // SROA must not touch the control flow: it would load both sides of a conditional lvalue, an access that the
  // source does not have.
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
  if (inline_threshold > 0)
    passes.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(inline_threshold)));
  else
    passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
}

}  // namespace plait::instrument
