// Loops that try a few times before they do something else (spin, then block; back-off): for (i = 0; i < 1000; ++i) if
// (flag) return true; A turn that failed has only read, and its count is used for nothing but the bound, so that one
// turn is as good as a thousand. The runtime is asked behind each turn (runtime/turns.h has the proof) and may settle
// the loop: it has run out.
#pragma once
#include "instrument/hooks.h"
#include "instrument/sites.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Before accesses are rewritten.
void settle_turns(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Hooks& hooks, Sites& sites);

}  // namespace plait::instrument
