// Library functions that the runtime replaces (redirect.def): all uses, not only direct calls.
#pragma once
#include "llvm/IR/Module.h"

namespace plait::instrument {

void redirect_library(llvm::Module& module);

}  // namespace plait::instrument
