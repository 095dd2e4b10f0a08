// Following a schedule: who is next, and what keeps it from being so.
#include "machine/dependence.h"
#include "runtime/failure.h"
#include "runtime/process.h"
#include "runtime/scheduling.h"
#include "runtime/unordered.h"

namespace plait::runtime {

using machine::Operation;

namespace {

[[noreturn]] void diverge(const Choice& choice, const char* why) {
  const Fiber& fiber = actor(choice.thread);
  run.status = RunStatus::Diverged;
  const ThreadId thread = run.memory.owner(choice.thread);
  const char* const what =
      thread == choice.thread
          ? "schedule entry %u: T%u should run to its operation %u, but %s"
          : "schedule entry %u: T%u's buffer should write the store of operation %u to memory, but %s";
  const bool any = choice.position == kNextPoint;
  const u32 site = fiber.exists && !fiber.ended ? user_view(fiber.pending.site, fiber) : kNoSite;
  if (any)
    fail({.kind = FailureKind::Divergence, .site = site}, "schedule entry %u: T%u should take its next step, but %s",
         run.next_choice, thread, why);
  fail({.kind = FailureKind::Divergence, .site = site}, what, run.next_choice, thread, choice.position, why);
}

const char* verb_of(Op op) { return op == Op::Load ? "reads" : "writes"; }

u64 race_address(const Choice& choice, ThreadId other) {
  return other | u64{choice.thread} << 8 | u64{choice.arg} << kRaceArg;
}

/// The schedule says that a thread is about to race with what another has done before.
[[noreturn]] void fail_race_with_earlier(const Choice& choice, ThreadId other) {
  Operation mine[machine::kMostBuffered];
  const u32 count = run.enabled & bit(choice.thread) ? next_accesses(choice.thread, mine) : 0;
  for (u32 i = 0; i < count; ++i) {
    const Event* const early = unordered_before(choice.thread, mine[i], other, (choice.arg & kLaterAccesses) >> 8);
    if (!early) continue;
    run.current = &actor(choice.thread);
    run.for_another = true;
    fail({.kind = FailureKind::Race,
          .site = mine[i].site,
          .address = race_address(choice, other),
          .other_site = early->site},
         "data race: T%u %s what T%u %s before, and nothing orders the two", actor(choice.thread).id,
         verb_of(mine[i].op), other, early->op == Op::Load ? "read" : "wrote");
  }
  diverge(choice, "it does not race with what the other thread has done");
}

/// The schedule says that two threads are about to race here.
[[noreturn]] void fail_race(const Choice& choice) {
  const auto other = static_cast<ThreadId>(choice.arg & 0xff);
  if (other >= kMaxThreads || !actor(other).exists) diverge(choice, "the other thread of the race does not exist");
  if (choice.arg & kEarlier) fail_race_with_earlier(choice, other);
  Operation mine[machine::kMostBuffered], its[machine::kMostBuffered];
  const bool parked = (run.enabled & bit(choice.thread)) && (run.enabled & bit(other));
  const u32 my_count = parked ? next_accesses(choice.thread, mine) : 0, its_count = next_accesses(other, its);
  for (u32 i = 0; i < my_count; ++i) {
    for (u32 k = 0; k < its_count; ++k) {
      const Operation &a = mine[i], &b = its[k];
      if (!machine::is_race(a, b)) continue;
      run.current = &actor(choice.thread);
      run.for_another = true;
      fail({.kind = FailureKind::Race, .site = a.site, .address = race_address(choice, other), .other_site = b.site},
           "data race: T%u %s while T%u %s the same memory", actor(choice.thread).id, verb_of(a.op), actor(other).id,
           verb_of(b.op));
    }
  }
  diverge(choice, "there is no race with the other thread");
}

bool holds_store(const Fiber& fiber, u32 position) {
  for (u32 i = 0; i < fiber.buffer.count; ++i)
    if (fiber.buffer.store[i].position == position) return true;
  return false;
}

/// A store leaves the buffer that the schedule does not know of (request_flag::kAgain): the oldest that can.
ThreadId flush_unscheduled(const Fiber& fiber) {
  run.chosen_arg = static_cast<u16>(__builtin_ctzll(flushable(fiber)));
  return buffer_of(fiber.id);
}

/// The schedule wants a store to be flushed: the args of the buffer are the places of its stores. kNoThread: that has
/// happened.
ThreadId scheduled_flush(const Choice& choice) {
  const Fiber& fiber = actor(choice.thread);
  const u64 possible = flushable(fiber);
  u32 index = choice.arg;
  if (choice.position != kNextPoint)
    for (index = 0; index < fiber.buffer.count && fiber.buffer.store[index].position != choice.position;) ++index;
  if (index >= fiber.buffer.count) {
    if (!run.again || fiber.position < choice.position) diverge(choice, "it does not hold that store");
    ++run.next_choice;
    return kNoThread;
  }
  if (run.again && !(possible >> index & 1)) return flush_unscheduled(fiber);
  if (!(possible >> index & 1)) diverge(choice, "older stores must leave it first");
  run.chosen_arg = static_cast<u16>(index);
  ++run.next_choice;
  return choice.thread;
}

bool must_drain(const Fiber& fiber, ThreadSet enabled) {
  return (waits_for_buffer(fiber) || fiber.buffer_wait != Fiber::Wait::None) && (enabled & bit(buffer_of(fiber.id)));
}

/// Who has to step so that this thread comes to be, or kNoThread. Where more is visible than when the schedule was made
/// (request_flag::kAgain), its parent stops in front of operations that it performed silently then.
ThreadId awaited_parent(ThreadId thread, ThreadSet enabled) {
  if (!run.again) return kNoThread;
  ThreadId parent = thread;
  while (parent != 0 && !fibers[parent].exists) {
    if (parent >= process.session->identity_count) return kNoThread;
    parent = process.session->identity[parent].parent;
  }
  if (must_drain(fibers[parent], enabled)) return flush_unscheduled(fibers[parent]);
  run.chosen_arg = 0;
  return enabled & bit(parent) ? parent : kNoThread;
}

}  // namespace

u32 next_accesses(ThreadId actor, Operation* to) {
  if (!run.memory.is_buffer(actor)) {
    *to = fibers[actor].pending;
    return 1;
  }
  const Fiber& fiber = fibers[owner_of(actor)];
  u32 count = 0;
  for (u64 set = flushable(fiber); set; set &= set - 1)
    to[count++] = flush_of(fiber.buffer.store[__builtin_ctzll(set)]);
  return count;
}

ThreadId scheduled(ThreadSet enabled) {
  while (run.next_choice < run.schedule_size) {
    const Choice& choice = run.schedule[run.next_choice];
    if (choice.thread >= kMaxThreads) diverge(choice, "it does not exist yet");
    if (!actor(choice.thread).exists) {
      const ThreadId parent = awaited_parent(run.memory.owner(choice.thread), enabled);
      if (parent == kNoThread) diverge(choice, "it does not exist yet");
      return parent;
    }
    Fiber& fiber = actor(choice.thread);
    const bool one_step = choice.position == kNextPoint;
    if (one_step && (choice.arg & kRaceWith)) fail_race(choice);
    if (choice.thread != fiber.id) {
      if ((choice.arg & kIfBuffered) && !holds_store(fiber, choice.position)) {
        ++run.next_choice;
        continue;
      }
      if (fiber.buffer.count && !(enabled & bit(choice.thread)))
        diverge(choice, "another thread is in an atomic section");
      const ThreadId buffer = scheduled_flush(choice);
      if (buffer == kNoThread) continue;
      return buffer;
    }
    if (run.failed & bit(fiber.id)) {
      if (one_step) end_run(RunStatus::Failed);  // so far, and it has failed
      if (fiber.position < choice.position) diverge(choice, "it has failed");
      ++run.next_choice;
      continue;
    }
    if (one_step && (choice.arg & kEndless)) {
      run.endless_from = run.points + 1;
      ++run.next_choice;
      continue;
    }
    if (fiber.ended) {
      if (one_step || fiber.position < choice.position) diverge(choice, "it has ended");
      ++run.next_choice;
      continue;
    }
    if (!one_step && fiber.pending_position > choice.position) {
      ++run.next_choice;
      continue;
    }
    if (!(enabled & bit(fiber.id))) {
      if (run.again && must_drain(fiber, enabled)) return flush_unscheduled(fiber);
      if (one_step && run.cycle) fail_deadlock();  // so far, and it is one of those that wait
      diverge(choice, "it is blocked");
    }
    run.chosen_arg = 0;
    if (one_step || fiber.pending_position == choice.position) {
      run.chosen_arg = choice.arg;
      ++run.next_choice;
    }
    return fiber.id;
  }
  return kNoThread;
}

}  // namespace plait::runtime
