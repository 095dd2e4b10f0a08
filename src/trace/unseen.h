// Memory that is handed to a library's function which nobody sees.
#pragma once
#include "trace/types.h"

namespace plait {

/// Detail of an Op::Input: the function does not write there.
inline constexpr u8 kOnlyReads = 1;

}  // namespace plait
