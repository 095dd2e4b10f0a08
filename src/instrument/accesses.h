// Replaces the accesses of one function by hook calls.
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "instrument/sites.h"

namespace plait::instrument {

void instrument_accesses(llvm::Function& function, Hooks& hooks, Sites& sites, const ThreadLocals& thread_locals);

}  // namespace plait::instrument
