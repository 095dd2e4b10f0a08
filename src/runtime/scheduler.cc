#include "runtime/scheduler.h"

#include "runtime/account.h"
#include "runtime/entry.h"
#include "runtime/failure.h"
#include "runtime/fingerprint.h"
#include "runtime/labels.h"
#include "runtime/lifetime.h"
#include "runtime/local_zones.h"
#include "runtime/process.h"
#include "runtime/scheduling.h"
#include "runtime/snapshot.h"
#include "runtime/unwritten.h"
#include "runtime/waiting_loop.h"

extern "C" {
const plait::Site* __plait_call_site;
const plait::Site* __plait_user_site;
const plait::Site* __plait_unknown;
const plait::Site* __plait_opaque;
}

namespace plait::runtime {

using machine::Operation;

Fiber boot_fiber;
Run run = {.current = &boot_fiber};

namespace {

Event scratch[1];  // stands for every event that is not reported

}  // namespace

bool is_reported(const Event& event) { return &event != scratch; }

Event& next_event() {
  if (run.points < run.report_from) {
    ++run.skipped;
    return *scratch;
  }
  if (run.event_count + 2 >= run.event_capacity) end_run(RunStatus::Limit);
  if (process.channel) process.channel->running_events = run.event_count + 1;
  return run.events[run.event_count++];
}

void fill(Event& event, const Fiber& fiber, const Operation& operation, u32 position) {
  if (!is_reported(event)) return;
  event.location = operation.location;
  event.value = 0;
  event.operand = operation.operand;
  event.extra = operation.extra;
  event.enabled = 0;
  event.asleep = 0;
  event.position = position;
  event.site = user_view(operation.site, fiber);
  event.thread = fiber.id;
  event.op = operation.op;
  event.size = operation.size;
  event.detail = operation.detail;
  event.order = operation.order;
  event.flags = 0;
  event.arg = 0;
  account_event(event, fiber);
}

void note_pending(Fiber& fiber) {
  const ThreadSet me = bit(fiber.id);
  if (!machine::can_block(fiber.pending.op) && !waits_for_buffer(fiber)) {
    run.ready |= me;
    return;
  }
  run.waiting |= me;
  if (is_enabled(fiber))
    run.ready |= me;
  else if (closes_cycle(fiber))
    meet_cycle();
}

void refresh_waiting() {
  for (ThreadSet set = run.waiting; set; set &= set - 1) {
    const Fiber& fiber = fibers[lowest(set)];
    if (is_enabled(fiber))
      run.ready |= bit(fiber.id);
    else
      run.ready &= ~bit(fiber.id);
  }
}

namespace {

ThreadId choose() {
  ThreadSet enabled = run.ready | run.buffers << kFirstBuffer;
  if (run.atomic_owner != kNoThread) enabled &= run.memory.actors_of(run.atomic_owner);
  if (!enabled) {
    if (run.deadlocked) end_run(RunStatus::Failed);
    // Who stopped for good might have gone on and woken the others, but for a cycle.
    if ((run.assumed | run.failed) && !run.cycle) end_run(RunStatus::Blocked);
    fail_deadlock();
  }
  run.enabled = enabled;
  const ThreadId next = scheduled(enabled);
  if (run.tail == Tail::Sleep && run.next_choice == run.schedule_size && !run.sleeping) {
    // From the schedule's last entry on; that entry itself was the explorer's decision.
    begin_sleep();
    if (next != kNoThread) return next;
  }
  return next != kNoThread ? next : by_tail(enabled);
}

}  // namespace

void note_point(Event& event, ThreadId who, const Operation& operation, const State& state) {
  run.last_actor = who;
  event.flags = event_flag::kPoint;
  event.arg = run.chosen_arg;
  if (run.states) {
    event.state_low = state.low;
    event.state_high = state.high;
  } else {
    event.enabled = run.enabled;
    if (run.sleeping) event.asleep = run.sleep;
  }
  if (run.sleeping && (run.sleep || run.sleeping_stores)) wake_dependent(who, operation);
  if (++run.points <= run.max_events) return;
  if (is_reported(event)) --run.event_count;  // it will not be performed, and has no result
  end_run(RunStatus::Limit);
}

Fiber& decide() {
  for (;;) {
    const ThreadId next = choose();
    if (&actor(next) == &fibers[next]) {
      run.delayed |= run.buffers != 0;
      return fibers[next];
    }
    if (flush(next)) return actor(next);
  }
}

void yield_turn(Fiber& fiber) {
  if (fiber.starter) {
    Fiber* starter = fiber.starter;
    fiber.starter = nullptr;
    switch_to(*starter);
    return;
  }
  Fiber& next = decide();
  if (&next != &fiber) switch_to(next);
}

void check_thread() {
  const u64 stack = slice(run.current->id) + kStackOffset;
  if (reinterpret_cast<u64>(__builtin_frame_address(0)) - stack >= kStackSize) fail_foreign_thread();
}

void note_unseen() {
  const ThreadId me = run.current->id;
  u32 last = run.event_count;
  while (last > 0 && (run.events[last - 1].thread != me || is_note(run.events[last - 1].op))) --last;
  if (last > 0) run.events[last - 1].flags |= event_flag::kUnseen;
  wake_all();  // it may touch anything
}

namespace {

/// A call by name says whom it calls. One through a pointer may have gone to the C library.
bool may_be_foreign(u32 site) {
  const Site* call = site_at(site & ~kLibrarySite);
  return call && call->text && (call->text[1] || foreign_libraries);
}

}  // namespace

void note_calls() {
  const Site* mark = __plait_opaque ? __plait_opaque : __plait_unknown;
  __plait_opaque = nullptr;  // what is not known stays: it is under way, and goes on when its thread does
  if (!mark) return;
  note_foreign_code();
  if (!run.active || run.init_phase) return;
  note_unseen();
  const u32 site = site_offset(mark) & ~kForeignCall;
  if (reinterpret_cast<u64>(mark) & kForeignCall && may_be_foreign(site))
    add_note({.kind = FailureKind::Unsupported,
              .thread = run.current->id,
              .other = kNoThread,
              .ready = 0,
              .site = site & ~kLibrarySite,
              .other_site = kNoSite});
  if (!run.current->opaque) note_opaque(site, "it called a function that may keep state");
}

namespace {

bool is_same(const State& a, const State& b) { return a.low == b.low && a.high == b.high && a.low; }

/// Has it been here before, at the time of the anchor?
bool is_at_anchor(Fiber& fiber) {
  if (is_same(fiber.anchor, fiber.state)) return true;
  if (fiber.anchor_age++ < fiber.anchor_limit) return false;
  fiber.anchor = fiber.state;
  fiber.anchor_limit += fiber.anchor_age;
  fiber.anchor_age = 0;
  return false;
}

void note_state(Fiber& fiber) {
  fiber.state = fingerprint();
  for (const State& before : fiber.recent) {
    if (!is_same(before, fiber.state)) continue;
    run.yielded |= bit(fiber.id);  // it goes round: others may change that
    ++run.stale;
    return;
  }
  run.stale = 0;
  if (is_at_anchor(fiber)) run.yielded |= bit(fiber.id);
  fiber.recent[fiber.recent_next++ % (sizeof fiber.recent / sizeof fiber.recent[0])] = fiber.state;
}

}  // namespace

void switch_to(Fiber& fiber) {
  Fiber* from = run.current;
  note_calls();
  run.current = &fiber;
  ++run.switches;
  from->user_site = __plait_user_site;
  __plait_user_site = fiber.user_site;
  from->unknown_call = __plait_unknown;
  __plait_unknown = fiber.unknown_call;
  if (process.float_modes) {
    from->float_modes = read_float_modes();
    switch_float_modes(from->float_modes, fiber.float_modes);
  }
  __plait_context_switch(&from->context, &fiber.context);
}

Event& await_pending() {
  check_thread();
  if (run.watching) end_watching();
  Fiber& fiber = *run.current;
  fiber.pending_position = fiber.position;
  account_operation();
  note_calls();
  if (run.states) note_state(fiber);
  note_pending(fiber);
  const ThreadSet me = bit(fiber.id);
  // While a schedule is followed, threads run over what it does not know of, as they do when it is not recorded.
  const bool leads_on = run.next_choice < run.schedule_size || run.claim.kind != Claim::None;
  const bool runs_on = run.unshared && leads_on && !run.endless_from;
  run.unshared = false;
  if (runs_on) {
    run.enabled = me;
    run.chosen_arg = 0;
  } else {
    yield_turn(fiber);
  }

  run.ready &= ~me;
  run.waiting &= ~me;
  Event& event = next_event();
  fill(event, fiber, fiber.pending, fiber.pending_position);
  note_point(event, fiber.id, fiber.pending, fiber.state);
  run.streak = run.last_point == fiber.id ? run.streak + 1 : 0;
  run.last_point = fiber.id;
  run.yielded &= me;
  if (fiber.pending.op != Op::Yield) fiber.idle_yields = 0;
  if (run.memory.drains(fiber.pending.op, fiber.pending.order)) fiber.buffer.pending.drain();
  return event;
}

Event& record_free(Op op, u64 location, u64 value, u32 site) {
  const Fiber& fiber = *run.current;
  account_operation();
  Event& event = next_event();
  fill(event, fiber, {.op = op, .site = site, .location = location}, fiber.position);
  event.value = value;
  return event;
}

void await_free(const machine::Operation& operation) {
  Fiber& fiber = *run.current;
  fiber.pending = operation;
  fiber.pending_position = fiber.position;
  fiber.state = {};
  if (!run.states) return;
  note_calls();
  fiber.state = fingerprint();
}

Event& record_awaited(u64 value) {
  const Fiber& fiber = *run.current;
  Event& event = record_free(fiber.pending.op, fiber.pending.location, value, fiber.pending.site);
  event.detail = fiber.pending.detail;
  if (run.states) {
    event.state_low = fiber.state.low;
    event.state_high = fiber.state.high;
  }
  return event;
}

void run_silently(Fiber& fiber) {
  fiber.starter = run.current;
  switch_to(fiber);
}

void reset_run() {
  const Context loop = run.loop;
  run = Run{.current = &boot_fiber};
  run.loop = loop;
  __plait_entry.stack_pointer = 0;
  forget_stores();
  forget_zones();
  forget_ends();
  forget_unwritten();
  forget_labels();
  __plait_call_site = __plait_user_site = __plait_unknown = __plait_opaque = nullptr;
  reset_objects();
}

}  // namespace plait::runtime
