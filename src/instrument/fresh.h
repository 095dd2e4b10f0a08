// Variables that others can reach and that have no value yet: the runtime marks them (runtime/unwritten.h).
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "llvm/ADT/SmallVector.h"

namespace plait::instrument {

struct FreshBytes {
  llvm::Instruction* behind;
  llvm::Value* memory;
  uint64_t offset;
  llvm::Value* size;
};
using FreshVariables = llvm::SmallVector<FreshBytes, 8>;

/// To be asked before accesses are rewritten: hook calls look like escapes.
FreshVariables collect_fresh(llvm::Function& function, const ThreadLocals& thread_locals);
void instrument_fresh(const FreshVariables& variables, Hooks& hooks);

}  // namespace plait::instrument
