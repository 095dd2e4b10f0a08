// Removes attributes that are no longer true of instrumented code, and those that let the optimiser drop allocations.
#pragma once
#include "llvm/IR/Module.h"

namespace plait::instrument {

void strip_attributes(llvm::Module& module);

}  // namespace plait::instrument
