// Locals that live no longer: see lifetime.cc.
#pragma once
#include "runtime/failure.h"

namespace plait::runtime {

[[noreturn]] void fail_after_scope(u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause);
/// The current thread is about to end: so do its stack, from here on, and its thread-local variables.
void end_thread_memory(u64 stack_pointer);
/// Between runs: all stacks are as new.
void forget_ends();

/// Has the local variable there come to its end in this run? Known of the last few.
bool has_ended(u64 address);

}  // namespace plait::runtime
