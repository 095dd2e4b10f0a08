// Library functions that work on one object of the program's: reports call the object what the caller calls it.
#pragma once
#include <optional>

#include "llvm/ADT/StringRef.h"

namespace plait::instrument {

/// Which argument is the address of the object; nothing if the function also works on others, or is not known.
std::optional<unsigned> object_argument(llvm::StringRef function, unsigned arguments);

}  // namespace plait::instrument
