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

/// The claim does not hold.
[[noreturn]] void refute(const Claim& claim, const char* why) {
  run.status = RunStatus::Diverged;
  const bool exists = claim.thread < kMaxThreads && actor(claim.thread).exists && !actor(claim.thread).ended;
  const u32 site = exists ? user_view(actor(claim.thread).pending.site, actor(claim.thread)) : kNoSite;
  fail({.kind = FailureKind::Divergence, .site = site}, "end of the schedule: T%u should race with T%u, but %s",
       run.memory.owner(claim.thread), run.memory.owner(claim.other), why);
}

bool is_meant(u32 claimed, u32 site) { return claimed == kNoSite || claimed == site; }

/// The failing thread is the one that looks, whoever runs.
void look_as(const Claim& claim) {
  run.current = &actor(claim.thread);
  run.for_another = true;
}

/// A thread is about to race with what another has done before.
[[noreturn]] void fail_race_with_earlier(const Claim& claim) {
  Operation mine[machine::kMostBuffered];
  const u32 count = run.enabled & bit(claim.thread) ? next_accesses(claim.thread, mine) : 0;
  for (u32 i = 0; i < count; ++i) {
    if (!is_meant(claim.site, mine[i].site)) continue;
    const Event* const early = unordered_before(claim.thread, mine[i], claim.other, claim.later);
    if (!early || !is_meant(claim.other_site, early->site)) continue;
    look_as(claim);
    fail({.kind = FailureKind::Race, .site = mine[i].site, .other_site = early->site, .claim = claim},
         "data race: T%u %s what T%u %s before, and nothing orders the two", actor(claim.thread).id,
         verb_of(mine[i].op), claim.other, early->op == Op::Load ? "read" : "wrote");
  }
  refute(claim, "it does not race with what the other thread has done");
}

/// Two threads are about to race here.
[[noreturn]] void fail_race(const Claim& claim) {
  if (claim.other >= kMaxThreads || !actor(claim.other).exists) refute(claim, "the other thread does not exist");
  if (claim.kind == Claim::RaceWithEarlier) fail_race_with_earlier(claim);
  Operation mine[machine::kMostBuffered], its[machine::kMostBuffered];
  const bool parked = (run.enabled & bit(claim.thread)) && (run.enabled & bit(claim.other));
  const u32 my_count = parked ? next_accesses(claim.thread, mine) : 0, its_count = next_accesses(claim.other, its);
  for (u32 i = 0; i < my_count; ++i) {
    for (u32 k = 0; k < its_count; ++k) {
      const Operation &a = mine[i], &b = its[k];
      if (!is_meant(claim.site, a.site) || !is_meant(claim.other_site, b.site) || !machine::is_race(a, b)) continue;
      look_as(claim);
      fail({.kind = FailureKind::Race, .site = a.site, .other_site = b.site, .claim = claim},
           "data race: T%u %s while T%u %s the same memory", actor(claim.thread).id, verb_of(a.op),
           actor(claim.other).id, verb_of(b.op));
    }
  }
  refute(claim, "there is no race");
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

/// The schedule is used up: is what it claims true? Who steps before that can be told, or kNoThread.
ThreadId look_at_claim(ThreadSet enabled) {
  if (run.endless_from) return kNoThread;
  const Claim& claim = run.claim;
  if (claim.thread >= kMaxThreads) refute(claim, "the first one does not exist");
  if (!actor(claim.thread).exists) {
    const ThreadId parent = awaited_parent(run.memory.owner(claim.thread), enabled);
    if (parent == kNoThread) refute(claim, "the first one does not exist yet");
    return parent;
  }
  if (claim.is_race()) fail_race(claim);
  if (run.failed & bit(actor(claim.thread).id)) end_run(RunStatus::Failed);  // so far
  run.endless_from = run.points + 1;
  return kNoThread;
}

}  // namespace

u32 next_accesses(ThreadId actor, Operation* to) {
  if (!run.memory.is_buffer(actor)) {
    *to = fibers[actor].pending;
    to->site = user_view(to->site, fibers[actor]);  // as claims have it, and before somebody else looks
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
      if (fiber.position < choice.position) {
        // Nobody has predicted that: a failure that the schedule's maker did not know of.
        if (run.goes_on) end_run(RunStatus::Failed);
        diverge(choice, "it has failed");
      }
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
  return run.claim.kind == Claim::None ? kNoThread : look_at_claim(enabled);
}

}  // namespace plait::runtime
