// Mutable global variables move to section "plait_data" ("plait_arrays" with red zones) and are listed in
// "plait_globals" (runtime/abi.h): the runtime restores them between runs and reports use their names.
#pragma once
#include "llvm/IR/Module.h"

namespace plait::instrument {

void move_globals(llvm::Module& module);

}  // namespace plait::instrument
