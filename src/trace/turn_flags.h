// What compiled code tells the runtime about the turn of a loop that is behind it (runtime/turns.h).
#pragma once
#include "trace/types.h"

namespace plait {

inline constexpr u32 kDeepestTurns = 4;  // loops inside of each other

namespace turn_flag {
inline constexpr u32 kInterrupted =
    1;                               // another thread came between: a compare-and-swap of what was just loaded failed
inline constexpr u32 kHandsOut = 2;  // code behind the loop uses what its last turn has seen
inline constexpr u32 kSleeps = 4;
inline constexpr u32 kUnbounded = 8;  // the count says only how long to wait between the turns
}  // namespace turn_flag

}  // namespace plait
