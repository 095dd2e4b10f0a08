// Atomics that no instruction can do: clang calls libatomic for them, which would touch the program's memory unseen.
#pragma once
#include "llvm/IR/Module.h"

namespace plait::instrument {

/// Calls of __atomic_load, __atomic_store, __atomic_exchange and __atomic_compare_exchange (any size) become plain
/// copies inside an atomic section. Must run before accesses are collected: the copies are instrumented like others.
void expand_wide_atomics(llvm::Module& module);

}  // namespace plait::instrument
