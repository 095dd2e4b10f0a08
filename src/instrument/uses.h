// Where a value that nobody has written decides something, the program fails: a condition, an address, an argument or a
// result of a function (where the language forbids to hand over what has no value: LLVM's noundef). Copying is no use:
// a store takes the missing bits along.
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_shadows.h"
#include "instrument/sites.h"

namespace plait::instrument {

/// Numbers are those of ValueUse in runtime/unwritten.h.
enum class Use : unsigned { Condition = 0, Address = 1, Argument = 2, Result = 3 };

/// After everything else is rewritten.
void instrument_uses(llvm::Function& function, const PrivateVariables& variables, Hooks& hooks, Sites& sites);

}  // namespace plait::instrument
