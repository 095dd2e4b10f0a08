// A thread that runs for long without a visible operation may wait for another thread, in a loop that looks at memory
// which nobody else has touched in any run so far. So before it is called endless, what it looks at is watched for a
// while; if it goes round, that becomes shared, and the loop is one that waits like any other.
#pragma once
#include "runtime/scheduler.h"

namespace plait::runtime {

/// From a signal handler: the next accesses of the current thread are looked at. `last_chance`: a thread that looks at
/// a few places only counts as one that waits, even if its own state changes (it may count its turns); one that looks
/// at nothing fails.
void begin_watching(bool last_chance);

/// It has come to a visible operation.
void end_watching();

void watch_read(u64 address, u64 size, u32 site);
void watch_write(u64 address, u64 size, u32 site);

}  // namespace plait::runtime
