// Bytes behind global arrays and structs that nobody may touch (runtime/red_zones.h).
#pragma once
#include "llvm/IR/GlobalVariable.h"

namespace plait::instrument {

/// 0: the variable must keep its size, or is a scalar.
uint64_t red_zone_size(const llvm::GlobalVariable& variable);

/// Takes the variable's place, name and uses. The old one is gone.
llvm::GlobalVariable* add_red_zone(llvm::GlobalVariable& variable, uint64_t bytes);

/// A red zone right in front of `next`.
llvm::GlobalVariable* add_leading_red_zone(llvm::GlobalVariable& next, llvm::StringRef section);

}  // namespace plait::instrument
