// Accesses of an object by an offset from its own start: a local, a by-value argument, a global, a constant, a
// thread-local. The object's size is known, so a comparison in front of the access finds whatever lies outside, near or
// far. (Accesses through other pointers are seen by their red zones: red_zones.h.)
#pragma once
#include "instrument/hooks.h"
#include "instrument/sites.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Adds the comparisons that are needed: offsets that provably lie inside need none. Before other steps: hook calls
/// look like escapes.
void check_bounds(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Hooks& hooks, Sites& sites,
                  Strings& strings);

/// Constant offsets outside of a local: SROA removes such accesses, so the check goes in before it runs. check_bounds()
/// adds the sites.
struct ConstantBoundsPass : llvm::PassInfoMixin<ConstantBoundsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace plait::instrument
