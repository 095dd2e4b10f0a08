// How much memory this process may use. The limit is the process's, as what is measured is: pages that are resident,
// whoever asked for them. Large structures ask before they grow; explore/control.h watches the rest.
#pragma once
#include "trace/types.h"

namespace plait {

u64 resident_bytes();
/// 0: no limit.
void set_memory_limit(u64 bytes);
u64 memory_limit();
/// Is that much more within the limit?
bool has_room_for(u64 more_bytes);
/// What a run of the program may allocate: the given gigabytes, or less if the address space is limited (ulimit -v).
u32 run_megabytes(double gigabytes);
/// Of the machine, or of what a container may use.
u64 half_of_memory();

}  // namespace plait
