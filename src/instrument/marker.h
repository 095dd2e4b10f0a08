// Marks the module as instrumented: a note that the command looks for, and a reference that only a runtime with the
// same ABI resolves. A unit in which registers and memory come together in ways that src/frames does not follow says
// so.
#pragma once
#include "llvm/IR/Module.h"

namespace plait::instrument {

void add_marker(llvm::Module& module);

/// A unit of a shared library: its tables are handed to the runtime when the library is loaded.
void register_tables(llvm::Module& module);

}  // namespace plait::instrument
