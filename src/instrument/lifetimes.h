// Where the lives of local variables begin and end whose address leaves their function: another thread may use them,
// but not after their end.
#pragma once
#include "instrument/hooks.h"
#include "instrument/local_zones.h"
#include "instrument/private_memory.h"
#include "instrument/sites.h"
#include "llvm/ADT/SmallVector.h"

namespace plait::instrument {

struct Lifetime {
  llvm::Instruction* at;  // behind it a life begins, in front of it one ends
  llvm::AllocaInst* variable;
  uint64_t size;
  Zones zones;
  llvm::Constant* site;
  bool begins;
};
using Lifetimes = llvm::SmallVector<Lifetime, 8>;

/// To be asked before accesses are rewritten: hook calls look like escapes.
Lifetimes collect_lifetimes(llvm::Function& function, Sites& sites, const ThreadLocals& thread_locals,
                            const UnsafeLocals& unsafe);
/// The variables make room for their red zones.
void instrument_lifetimes(const Lifetimes& lifetimes, Hooks& hooks);

}  // namespace plait::instrument
