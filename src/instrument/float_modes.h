// Does the module look at rounding modes, masks or flags of the floating-point units, or change them? Only then does
// the runtime switch them between threads: reading them at every switch cost up to 8 % of a short run.
#pragma once
#include "llvm/IR/Module.h"

namespace plait::instrument {

/// Such a module says so to the runtime when it is loaded.
void announce_float_modes(llvm::Module& module);

}  // namespace plait::instrument
