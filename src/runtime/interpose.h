// What the families of interposed functions share.
#pragma once
#include <pthread.h>
#include <time.h>

#include "runtime/scheduler.h"

namespace plait::runtime {

/// What getpid() says: the same in every worker. A thread's number is this plus its own.
inline constexpr int kProcessNumber = 1000;

/// pthread_create and pthread_join, also for C11 threads.
int create_thread(pthread_t* handle, bool detached, void* (*routine)(void*), void* argument);
/// Sets `result` if it is wanted.
int join_thread(pthread_t handle, bool wants_result, void*& result);

/// Waits on a condition variable. `deadline` null: for ever; otherwise the time-out is a schedule of its own.
int wait_on(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline);

machine::Operation mutex_operation(Op op, const pthread_mutex_t* mutex);

/// Virtual time: each thread has its own clock, which moves when the thread looks at it, sleeps or times out. So what a
/// thread sees of time depends on its own history only.
inline constexpr u64 kTick = 1000;
u64 now();
/// The deadline was missed: the thread's clock is at least there now.
void pass(const timespec& deadline);

/// An operation on an object at `address`.
inline machine::Operation operation_on(Op op, const void* address) {
  return {.op = op, .site = take_call_site(), .location = reinterpret_cast<u64>(address)};
}

}  // namespace plait::runtime
