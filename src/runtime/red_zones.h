// Bytes behind and in front of global arrays and structs that nobody may touch: no variable lies there.
// The pass puts them there (instrument/red_zones.h); their shadow says so for the whole life of the process.
#pragma once
#include "runtime/failure.h"

namespace plait::runtime {

void mark_red_zones();
/// Returns if none of the bytes lies in a red zone. Size 0: synchronisation. What others do makes no difference to it.
void fail_in_red_zone(u64 address, u64 size, bool write, u32 site);

}  // namespace plait::runtime
