// Locals that live no longer: see lifetime.cc.
#pragma once
#include "runtime/failure.h"

namespace plait::runtime {

[[noreturn]] void fail_after_scope(u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause);
/// The current thread is about to end: so do its stack, from here on, and its thread-local variables.
void end_thread_memory(u64 stack_pointer);
/// Control has arrived, by an exception or longjmp, in the frame above `top`: the frames below are gone, whatever lived
/// in them.
void end_left_frames(u64 top);
/// The stack pointer of the current thread is about to move back to `top`: variables below whose size was not known to
/// the compiler end. Their memory must still be theirs, for others may use it until it is this thread's turn.
void end_sized_locals(u64 top);
/// It has moved there already: the frames of the runtime lie where they were.
void forget_sized_locals(u64 top);
/// Between runs: all stacks are as new.
void forget_ends();

/// Has the local variable there come to its end in this run? Known of the last few.
bool has_ended(u64 address);

}  // namespace plait::runtime
