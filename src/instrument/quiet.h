// What code does to others, by its instructions: nothing, it may wait a little; it reads; something else.
#pragma once
#include "llvm/IR/Instruction.h"

namespace plait::instrument {

enum class Noise {
  None,    // arithmetic, pauses, yields
  Sleeps,  // the same, and the thread's clock moves
  Reads,   // loads; attempts that change something or fail (the runtime sees which)
  Other,
};

Noise noise_of(const llvm::Instruction& instruction);
/// Its noisiest instruction. Loops, and calls of calls of calls, are Other.
Noise noise_of(const llvm::Function& function);

}  // namespace plait::instrument
