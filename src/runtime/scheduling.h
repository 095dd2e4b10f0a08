// What the rooms of the scheduler know of each other; for everybody else there is scheduler.h.
//
//   scheduler.cc   parking and resuming threads, scheduling points, events
//   following.cc   the schedule's next step
//   tails.cc       who steps when the schedule is used up; sleep sets
//   deadlocks.cc   cycles of waiting threads, livelocks
//   objects.cc     synchronisation objects
//   buffering.cc   store buffers
//   lifecycle.cc   ends of threads, program and run
#pragma once
#include "machine/sync.h"
#include "runtime/scheduler.h"

namespace plait::runtime {

extern Fiber boot_fiber;  // before main, and between runs

// scheduler.cc
/// Room for one more event; one that is not reported has a place that nobody reads (is_reported).
Event& next_event();
bool is_reported(const Event& event);
void fill(Event& event, const Fiber& fiber, const machine::Operation& operation, u32 position);
/// What all scheduling points have in common. The event is filled but for that.
void note_point(Event& event, ThreadId who, const machine::Operation& operation, const State& state);
/// The fiber's pending operation may be enabled, or not.
void note_pending(Fiber& fiber);
/// Performing a synchronisation can enable and disable others.
void refresh_waiting();
/// Who goes on.
Fiber& decide();
/// The current thread has parked with a pending operation: whoever let it run goes on, or the schedule decides.
void yield_turn(Fiber& fiber);

// objects.cc
machine::SyncState sync_state();
/// At the end of the init phase: what is not in its fresh state.
void record_initial_objects();
void reset_objects();

// deadlocks.cc
/// A cycle of threads that wait for each other can be told at once, even if others still run. Who has to drain waits
/// for its buffer only.
bool closes_cycle(const Fiber& fiber);
/// Threads wait for each other. Where runs go on after failures, the others do.
void meet_cycle();
[[noreturn]] void fail_deadlock();
/// The schedule says that the program cannot end any more, and it has gone on for a while.
[[noreturn]] void fail_livelock();

// following.cc
/// The schedule's next thread or buffer, or kNoThread when it is used up.
ThreadId scheduled(ThreadSet enabled);
/// The operations that an actor (a thread or a buffer) could perform next, as far as they access memory.
u32 next_accesses(ThreadId actor, machine::Operation* to);

// tails.cc
ThreadId by_tail(ThreadSet enabled);
/// The stores behind the schedule fall asleep.
void begin_sleep();
void wake_dependent(ThreadId who, const machine::Operation& performed);
void wake_all();

// buffering.cc
/// A store of this buffer reaches memory. True if its thread has waited for that and goes on now.
bool flush(ThreadId buffer);

inline bool waits_for_buffer(const Fiber& fiber) {
  return fiber.buffer.count != 0 && run.memory.drains(fiber.pending.op, fiber.pending.order);
}

inline bool is_enabled(const Fiber& fiber) {
  return !waits_for_buffer(fiber) && machine::enabled(sync_state(), fiber.id, fiber.pending);
}

/// Who stands behind a number of a schedule: a thread, or the thread whose buffer it is.
inline Fiber& actor(ThreadId number) { return fibers[run.memory.owner(number)]; }

/// A flush as an operation.
inline machine::Operation flush_of(const BufferedStore& store) {
  return {.op = Op::Flush,
          .size = store.size,
          .order = store.order,
          .site = store.site,
          .location = store.address,
          .operand = static_cast<u64>(store.value)};
}

}  // namespace plait::runtime
