// Ends: of the init phase, of threads, of the program, of the run.
#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/labels.h"
#include "runtime/process.h"
#include "runtime/program_exit.h"
#include "runtime/scheduling.h"
#include "runtime/unwritten.h"

namespace plait::runtime {

namespace {

/// Legal, and often not meant: threads are cut off where they stand.
void leave_threads_behind(u32 site) {
  const ThreadId me = run.current->id;
  for (ThreadSet set = run.live & ~run.failed & ~bit(me); set; set &= set - 1) {
    const Fiber& other = fibers[lowest(set)];
    if (other.detached) continue;
    add_note({.kind = FailureKind::ExitWithThreads,
              .thread = me,
              .other = other.id,
              .ready = 0,
              .site = site,
              .other_site = other.fork_site});
  }
}

/// Where it counts as a bug, the end is later than that of all threads that are neither joined nor detached. It looks
/// at what they say just before they end, so that it is a matter of order also for threads that share nothing.
void expect_ends(u32 site) {
  const ThreadId me = run.current->id;
  for (ThreadId id = 0; id < kMaxThreads && id < process.session->identity_count; ++id) {
    const Fiber& other = fibers[id];
    if (id == me || !other.exists || other.detached || other.joined || (run.failed & bit(id))) continue;
    if (!look_at(Ghost::ThreadEnd, id))
      fail({.kind = FailureKind::ExitWithThreads, .site = site, .other_site = other.fork_site},
           "T%u ends the program while T%u still runs", me, id);
  }
}

/// A run that ends early leaves threads in front of operations: they are worth knowing, too.
void record_pending() {
  for (ThreadSet set = run.live; set; set &= set - 1) {
    const Fiber& fiber = fibers[lowest(set)];
    // Who waits in a cycle fails there if what it waits for is freed.
    const bool parked = (run.ready | run.waiting | run.assumed | run.deadlocked) & bit(fiber.id);
    if (!parked || run.points < run.report_from || run.event_count + 2 >= run.event_capacity) continue;
    Event& event = run.events[run.event_count++];
    fill(event, fiber, fiber.pending, fiber.pending_position);
    event.flags = event_flag::kPending;
    if (run.states) {
      event.state_low = fiber.state.low;
      event.state_high = fiber.state.high;
    }
    event.value = machine::awaited(sync_state(), fiber.id, fiber.pending);
  }
}

}  // namespace

void add_note(const Note& fresh) {
  Session& session = *process.session;
  u32 count = __atomic_load_n(&session.note_count, __ATOMIC_ACQUIRE);
  for (u32 i = 0; i < count && i < kMaxNotes; ++i)
    if (session.note[i].kind == fresh.kind && session.note[i].site == fresh.site &&
        session.note[i].other_site == fresh.other_site)
      return;
  if (count >= kMaxNotes) return;
  const u32 slot = __atomic_fetch_add(&session.note_count, 1, __ATOMIC_ACQ_REL);
  if (slot >= kMaxNotes) return;
  session.note[slot] = fresh;
  __atomic_store_n(&session.note[slot].ready, 1, __ATOMIC_RELEASE);
}

void end_init_phase() {
  if (__plait_unknown || __plait_opaque) note_foreign_code();
  __plait_unknown = __plait_opaque = nullptr;  // what main did alone is the same in every run
  run.init_phase = false;
  record_initial_objects();
}

void end_init_phase_at_input() {
  if (!run.init_phase || !run.active) return;
  // Its beginning would be in no trace.
  if (run.atomic_owner != kNoThread) labels_of(*process.session).overflow = 1;
  end_init_phase();
}

void* join(Fiber& child, bool wants_result, u32 site) {
  Fiber& fiber = *run.current;
  await_drained(site);
  await_free({.op = Op::Join, .detail = wants_result, .site = site, .location = child.id});
  if (!child.ended) {
    note_pending(fiber);
    yield_turn(fiber);  // back here only when the child's end lets us (leave)
  }
  record_awaited(wants_result ? reinterpret_cast<u64>(child.result) : 0);
  return child.result;
}

void leave() {
  Fiber& fiber = *run.current;
  run.live &= ~bit(fiber.id);
  run.finished |= bit(fiber.id);
  fiber.ended = true;
  for (ThreadSet set = run.live; set; set &= set - 1) {
    Fiber& other = fibers[lowest(set)];
    if (!(run.waiting & bit(other.id)) || other.pending.op != Op::Join || other.pending.location != fiber.id) continue;
    run.waiting &= ~bit(other.id);
    run.ready &= ~bit(other.id);
    run_silently(other);
  }
  if (fiber.starter) {
    Fiber* starter = fiber.starter;
    fiber.starter = nullptr;
    switch_to(*starter);
    __builtin_unreachable();
  }
  if (!run.live) {
    end_without_main();
    end_run(RunStatus::Complete);
  }
  switch_to(decide());
  __builtin_unreachable();
}

void stop_for_good() {
  Fiber& fiber = *run.current;
  run.ready &= ~bit(fiber.id);
  run.waiting &= ~bit(fiber.id);
  if (Fiber* starter = fiber.starter) {
    fiber.starter = nullptr;
    switch_to(*starter);
  }
  switch_to(decide());
  __builtin_unreachable();
}

void exit_program(int code, u32 site) {
  run.exit_code = code;
  const ThreadId me = run.current->id;
  if (process.session->options.exit_with_threads) expect_ends(site);
  begin_operation();
  if (run.live & ~run.failed & ~bit(me)) {
    run.exiting |= bit(me);
    leave_threads_behind(site);  // the end waits for others where it can, but it could come now
    await_turn({.op = Op::Exit, .site = site});
  } else {
    record_free(Op::Exit, 0, static_cast<u64>(static_cast<u32>(code)), site);
  }
  end_run(RunStatus::Complete);
}

void end_run(RunStatus status) {
  note_calls();
  record_pending();  // also of a complete run: the program may end while threads run
  // In a run that only follows a schedule, failures before the program's end are those of threads that could have
  // waited.
  const bool ended_first = run.again && !run.goes_on && status == RunStatus::Complete && run.exiting;
  if ((run.failed || run.deadlocked) && status != RunStatus::Diverged && !ended_first) status = RunStatus::Failed;
  run.status = status;
  run.active = false;
  run.current = &boot_fiber;
  __plait_context_jump(&run.loop);
}

}  // namespace plait::runtime
