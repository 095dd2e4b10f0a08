// Integer intrinsics in terms of instructions that labels know, so that inputs can be followed through them.
#pragma once
#include "llvm/IR/Function.h"

namespace plait::instrument {

/// abs, products that may overflow, sums that saturate, and what moves or counts bits (of up to 64). To be called where
/// labels follow.
void expand_intrinsics(llvm::Function& function);

}  // namespace plait::instrument
