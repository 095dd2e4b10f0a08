// Is an access that a thread is about to perform ordered behind an earlier one, in the sense of C++?
#pragma once
#include "machine/operation.h"

namespace plait::runtime {

/// Finds an access of `other` in this run's events that conflicts with `operation` of the actor (a thread, or the
/// buffer that holds the store), `later` such accesses before the last one. Null: something orders the two.
const Event* unordered_before(ThreadId actor, const machine::Operation& operation, ThreadId other, u32 later);

}  // namespace plait::runtime
