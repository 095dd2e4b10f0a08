// Which bytes of a variable belong to no member? In LLVM's types alone, the padding that clang writes out and an array
// of chars look the same: the debug information tells them apart.
#pragma once
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/Instructions.h"

namespace plait::instrument {

/// A set bit for each byte that is known to be padding. Of a variable of known size.
llvm::BitVector padding_of(llvm::AllocaInst& variable);

}  // namespace plait::instrument
