#include "instrument/pipeline.h"

#include "instrument/bounds.h"
#include "instrument/coroutines.h"
#include "instrument/deadlines.h"
#include "instrument/destructors.h"
#include "instrument/facets.h"
#include "instrument/holes.h"
#include "instrument/inner_release.h"
#include "instrument/jump_targets.h"
#include "instrument/sleeps.h"
#include "instrument/timed_waits.h"
#include "instrument/undefined.h"
#include "instrument/vtables.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"

namespace plait::instrument {

static llvm::cl::opt<int> inline_threshold("plait-inline-threshold", llvm::cl::init(40), llvm::cl::Hidden,
                                           llvm::cl::desc("Inline up to this cost before instrumenting"));

void add_preparation(llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
  passes.addPass(RegisterDestructorsPass());
  passes.addPass(InnerReleasePass());
  passes.addPass(TimedWaitsPass());
  passes.addPass(DeadlinesPass());
  passes.addPass(FacetsPass());
  passes.addPass(UnchangedVtablesPass());
  passes.addPass(CoroutineFramesPass());
  passes.addPass(JumpTargetsPass());
  if (level == llvm::OptimizationLevel::O0) return;
  // The branches stay the source's.
  const auto promotion = llvm::SROAOptions::PreserveCFG;
  llvm::FunctionPassManager first;
  first.addPass(SleepByValuePass());
  first.addPass(MarkUndefinedPass());  // before variables become registers
  first.addPass(ClearHolesPass());
  first.addPass(llvm::LowerExpectIntrinsicPass());
  first.addPass(ConstantBoundsPass());
  first.addPass(llvm::SROAPass(promotion));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(first)));
  // Each function is cleaned up before its callers look at it. SCCP removes the branches on constant memory orders
  // (once the expectations around them are gone); without it std::atomic's operators seem too large to inline, and
  // their sites would not show who called them.
  llvm::ModuleInlinerWrapperPass inliner(llvm::getInlineParams(inline_threshold));
  llvm::FunctionPassManager cleanup;
  cleanup.addPass(ConstantBoundsPass());
  cleanup.addPass(MarkUndefinedPass());  // what escapes no longer
  cleanup.addPass(llvm::SROAPass(promotion));
  cleanup.addPass(llvm::SCCPPass());
  inliner.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(std::move(cleanup)));
  passes.addPass(std::move(inliner));
}

}  // namespace plait::instrument
