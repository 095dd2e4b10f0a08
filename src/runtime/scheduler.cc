#include "runtime/scheduler.h"

#include "machine/dependence.h"
#include "runtime/access.h"
#include "runtime/entry.h"
#include "runtime/failure.h"
#include "runtime/fingerprint.h"
#include "runtime/lifetime.h"
#include "runtime/process.h"
#include "runtime/program_exit.h"
#include "runtime/waiting_loop.h"

extern "C" {
extern const plait::Site __start_plait_sites[] __attribute__((weak));
extern const plait::Site __stop_plait_sites[] __attribute__((weak));
const plait::Site* __plait_call_site;
const plait::Site* __plait_user_site;
const plait::Site* __plait_unknown;
const plait::Site* __plait_opaque;
}

namespace plait::runtime {

using machine::Operation;
using machine::Outcome;

Fiber boot_fiber;
Run run = {.current = &boot_fiber};

namespace {

constexpr u32 kStaleLimit = 64;      // for each thread: points without news before a run that nobody drives is over
constexpr u32 kEndlessPoints = 8;    // for each thread: what a livelock is shown by
constexpr u32 kStreakLimit = 2000;  // points in a row before a thread counts as spinning, where the schedule leaves the choice

struct ObjectEntry {
  u64 key;
  u32 index;
  u32 generation;
};
ObjectEntry object_table[kMaxObjects];
machine::Object object_storage[kMaxObjects / 2];
u64 object_key[kMaxObjects / 2];
u32 generation = 0;
Event scratch[1];  // stands for every event that is not reported

constexpr u32 kMaxInitial = 256;
Operation initial[kMaxInitial];  // what the program's constructors initialised
u32 initial_count = 0;

machine::SyncState sync_state() { return {object_storage, run.finished}; }

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
  if (&event == scratch) return;
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
}

u64 next_random() {
  u64 x = run.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return run.random = x;
}

ThreadId nth(ThreadSet set, u64 n) {
  for (n %= count(set); n > 0; --n) set &= set - 1;
  return lowest(set);
}

const char* name_of(Op op) {
  switch (op) {
    case Op::Join: return "joins";
    case Op::Lock: return "locks";
    case Op::Reacquire: return "takes the mutex again after waiting";
    case Op::ReadLock: return "locks for reading";
    case Op::WriteLock: return "locks for writing";
    case Op::CondWake: return "waits on a condition variable";
    case Op::SemWait: return "waits for a semaphore";
    case Op::BarrierLeave: return "waits at a barrier";
    case Op::OnceEnter: return "waits for an initialisation";
    case Op::FutexWake: return "waits for a notification";
    default: return "waits";
  }
}

bool waits_for_buffer(const Fiber& fiber) { return fiber.buffer.count != 0 && machine::drains(fiber.pending.op, fiber.pending.order); }

/// A cycle of threads that wait for each other can be told at once, even if others still run. Who has to drain waits for its buffer only.
bool closes_cycle(const Fiber& fiber) {
  const machine::SyncState state = sync_state();
  ThreadId at = fiber.id;
  for (unsigned steps = 0; steps <= kMaxThreads; ++steps) {
    if (waits_for_buffer(fibers[at])) return false;
    const ThreadId next = machine::awaited(state, at, fibers[at].pending);
    if (next == kNoThread) return false;
    if (next == fiber.id) return true;
    if (!(run.waiting & bit(next)) || (run.ready & bit(next))) return false;
    at = next;
  }
  return false;
}

struct Deadlock {
  char text[200];  // what every blocked thread waits for
  u32 site = kNoSite;
  const char* kind;
};

Deadlock describe_deadlock() {
  Deadlock found;
  unsigned used = 0;
  const machine::SyncState state = sync_state();
  bool cycle = false;
  ThreadSet blocked = run.live & run.waiting & ~run.ready;
  for (ThreadSet set = blocked; set; set &= set - 1) {
    const Fiber& fiber = fibers[lowest(set)];
    const ThreadId other = machine::awaited(state, fiber.id, fiber.pending);
    // Where a member of the cycle stands, if there is one: others only wait for its members.
    if (!cycle && (found.site == kNoSite || fiber.pending.op != Op::Join || closes_cycle(fiber))) found.site = user_view(fiber.pending.site, fiber);
    cycle |= closes_cycle(fiber);
    if (used + 80 < sizeof found.text) {
      used += static_cast<unsigned>(__builtin_snprintf(found.text + used, sizeof found.text - used, "%sT%u %s", used ? "; " : "", fiber.id,
                                                       name_of(fiber.pending.op)));
      if (other != kNoThread)
        used += static_cast<unsigned>(__builtin_snprintf(found.text + used, sizeof found.text - used,
                                                         fiber.pending.op == Op::Join ? " T%u" : ", held by T%u", other));
    }
  }
  found.kind = (run.live & ~blocked) != 0 ? "deadlock of some threads" : "deadlock";
  return found;
}

/// The pending operations tell the rest.
[[noreturn]] void fail_deadlock() {
  const Deadlock found = describe_deadlock();
  fail({.kind = FailureKind::Deadlock, .site = found.site}, "%s: %s", found.kind, found.text);
}

/// Threads wait for each other. Where runs go on after failures, the others do.
void meet_cycle() {
  run.cycle = true;
  if (!run.goes_on || run.deadlocked) return;
  const Deadlock found = describe_deadlock();
  note_failure({.kind = FailureKind::Deadlock, .site = found.site}, "%s: %s", found.kind, found.text);
  for (ThreadSet set = run.live & run.waiting & ~run.ready; set; set &= set - 1)
    if (closes_cycle(fibers[lowest(set)])) run.deadlocked |= bit(lowest(set));
}

bool is_enabled(const Fiber& fiber) { return !waits_for_buffer(fiber) && machine::enabled(sync_state(), fiber.id, fiber.pending); }

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

/// Performing a synchronisation can enable and disable others.
void refresh_waiting() {
  for (ThreadSet set = run.waiting; set; set &= set - 1) {
    const Fiber& fiber = fibers[lowest(set)];
    if (is_enabled(fiber))
      run.ready |= bit(fiber.id);
    else
      run.ready &= ~bit(fiber.id);
  }
}

/// Who stands behind a number of a schedule: a thread, or the thread whose buffer it is.
Fiber& actor(ThreadId number) { return fibers[run.model == MemoryModel::Sc ? number : owner_of(number)]; }

/// A flush as an operation.
Operation flush_of(const BufferedStore& store) {
  return {.op = Op::Flush, .size = store.size, .order = store.order, .site = store.site, .location = store.address,
          .operand = static_cast<u64>(store.value)};
}

[[noreturn]] void diverge(const Choice& choice, const char* why) {
  const Fiber& fiber = actor(choice.thread);
  run.status = RunStatus::Diverged;
  const ThreadId thread = run.model == MemoryModel::Sc ? choice.thread : owner_of(choice.thread);
  const char* const what = thread == choice.thread
                               ? "schedule entry %u: T%u should run to its operation %u, but %s"
                               : "schedule entry %u: T%u's buffer should write the store of operation %u to memory, but %s";
  const u32 site = fiber.exists && !fiber.ended ? user_view(fiber.pending.site, fiber) : kNoSite;
  fail({.kind = FailureKind::Divergence, .site = site}, what, run.next_choice, thread, choice.position, why);
}

/// The operations that an actor (a thread or a buffer) could perform next, as far as they access memory.
u32 next_accesses(ThreadId actor, Operation* to) {
  if (run.model == MemoryModel::Sc || actor < kFirstBuffer) {
    *to = fibers[actor].pending;
    return 1;
  }
  const Fiber& fiber = fibers[owner_of(actor)];
  u32 count = 0;
  for (u64 set = flushable(fiber); set; set &= set - 1) to[count++] = flush_of(fiber.buffer.store[__builtin_ctzll(set)]);
  return count;
}


/// The schedule says that two threads are about to race here.
[[noreturn]] void fail_race(const Choice& choice) {
  const auto other = static_cast<ThreadId>(choice.arg & ~kRaceWith);
  if (other >= kMaxThreads || !actor(other).exists) diverge(choice, "the other thread of the race does not exist");
  Operation mine[machine::kBufferedStores], its[machine::kBufferedStores];
  const bool parked = (run.enabled & bit(choice.thread)) && (run.enabled & bit(other));
  const u32 my_count = parked ? next_accesses(choice.thread, mine) : 0, its_count = next_accesses(other, its);
  for (u32 i = 0; i < my_count; ++i) {
    for (u32 k = 0; k < its_count; ++k) {
      const Operation &a = mine[i], &b = its[k];
      if (!machine::is_race(a, b)) continue;
      const auto verb = [](const Operation& operation) { return operation.op == Op::Load ? "reads" : "writes"; };
      run.current = &actor(choice.thread);
      run.for_another = true;
      fail({.kind = FailureKind::Race, .site = a.site, .address = other | u64{choice.thread} << 8, .other_site = b.site},
           "data race: T%u %s while T%u %s the same memory", actor(choice.thread).id, verb(a), actor(other).id, verb(b));
    }
  }
  diverge(choice, "there is no race with the other thread");
}

/// The schedule says that the program cannot end any more, and it has gone on for a while.
[[noreturn]] void fail_livelock() {
  char text[200];
  unsigned used = 0;
  u32 site = kNoSite;
  for (ThreadSet set = run.live; set; set &= set - 1) {
    const Fiber& fiber = fibers[lowest(set)];
    if (used + 60 >= sizeof text) break;
    const bool blocked = (run.waiting & bit(fiber.id)) && !(run.ready & bit(fiber.id));
    if (!blocked && site == kNoSite) site = user_view(fiber.pending.site, fiber);
    used += static_cast<unsigned>(__builtin_snprintf(text + used, sizeof text - used, "%sT%u %s", used ? "; " : "", fiber.id,
                                                     blocked ? name_of(fiber.pending.op) : "goes round in a loop"));
  }
  fail({.kind = FailureKind::Livelock, .site = site, .address = run.endless_from - 1},
       "no schedule can end the program from here on: %s", text);
}

/// Everybody who is left goes round. What they look at counts as shared from now on, even if nobody else has touched it yet: a loop must have a
/// visible operation.
[[noreturn]] void stop_going_round() {
  for (ThreadSet set = run.ready; set; set &= set - 1) {
    const Operation& operation = fibers[lowest(set)].pending;
    if (!machine::is_memory(operation.op)) continue;
    for (u64 i = 0; i < operation.size; ++i) make_shared(operation.location + i);
  }
  end_run(RunStatus::Stopped);
}

/// Everybody in turn.
ThreadId take_turns(ThreadSet enabled) {
  run.chosen_arg = 0;
  if (run.points - (run.endless_from - 1) >= kEndlessPoints * count(run.live)) fail_livelock();
  const ThreadSet above = run.last_point + 1u < kMaxThreads ? enabled & ~(bit(run.last_point + 1) - 1) : 0;
  return lowest(above ? above : enabled);
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

/// The schedule wants a store to be flushed: the args of the buffer are the places of its stores. kNoThread: that has happened.
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

/// The schedule's next thread or buffer, or kNoThread when it is used up.
ThreadId scheduled(ThreadSet enabled) {
  while (run.next_choice < run.schedule_size) {
    const Choice& choice = run.schedule[run.next_choice];
    if (choice.thread >= kMaxThreads || !actor(choice.thread).exists) diverge(choice, "it does not exist yet");
    Fiber& fiber = actor(choice.thread);
    const bool one_step = choice.position == kNextPoint;
    if (one_step && (choice.arg & kRaceWith)) fail_race(choice);
    if (choice.thread != fiber.id) {
      if ((choice.arg & kIfBuffered) && !holds_store(fiber, choice.position)) {
        ++run.next_choice;
        continue;
      }
      if (fiber.buffer.count && !(enabled & bit(choice.thread))) diverge(choice, "another thread is in an atomic section");
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
      if (run.again && (enabled & bit(buffer_of(fiber.id))) && (waits_for_buffer(fiber) || fiber.buffer_wait != Fiber::Wait::None))
        return flush_unscheduled(fiber);
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

u64 mixed(u64 a, u64 b) {
  u64 x = a * 0x9e3779b97f4a7c15ull + b + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): the thread of the highest priority runs. Priorities are random; at each of a
/// few random points the running thread's one becomes lower than all others. Buffers have priorities as threads have.
ThreadId by_priority(ThreadSet candidates) {
  for (u32 i = 1; i <= run.change_points; ++i)
    if (run.length && mixed(run.seed, 1000 + i) % run.length == run.points) run.lowered[run.last_actor] = static_cast<u8>(i);
  if (run.streak > kStreakLimit && (candidates & ~bit(run.last_point))) candidates &= ~bit(run.last_point);
  ThreadId best = kNoThread;
  for (ThreadSet set = candidates; set; set &= set - 1) {
    const ThreadId thread = lowest(set);
    if (best == kNoThread) {
      best = thread;
      continue;
    }
    const u8 mine = run.lowered[thread], its = run.lowered[best];
    const bool higher = mine != its ? mine == 0 || (its != 0 && mine < its) : mixed(run.seed, thread) > mixed(run.seed, best);
    if (higher) best = thread;
  }
  return best;
}

/// Without threads that let others go first: other threads, if there are some. Not buffers: a yield does not drain.
ThreadSet without_yielded(ThreadSet candidates) {
  const ThreadSet eager = candidates & ~run.yielded;
  return eager & ~(run.buffers << kFirstBuffer) ? eager : candidates;
}

/// Any of the args that are possible now.
u16 random_arg(ThreadId number) {
  const Fiber& fiber = actor(number);
  const u64 possible = fiber.id == number ? machine::choices(sync_state(), number, fiber.pending) : flushable(fiber);
  return possible ? nth(possible, next_random() >> 16) : 0;
}

/// Those that could be flushed and do not sleep.
u64 awake(const Fiber& fiber) {
  u64 set = flushable(fiber);
  for (u64 left = set; left; left &= left - 1)
    if (const u32 index = static_cast<u32>(__builtin_ctzll(left)); fiber.buffer.store[index].asleep) set &= ~(u64{1} << index);
  return set;
}

/// Who could step and does not sleep.
ThreadSet without_sleepers(ThreadSet enabled) {
  enabled &= ~run.sleep;
  if (run.sleeping_stores == 0) return enabled;
  for (ThreadSet set = enabled & run.buffers << kFirstBuffer; set; set &= set - 1)
    if (!awake(actor(lowest(set)))) enabled &= ~bit(lowest(set));
  return enabled;
}

/// The stores behind the schedule fall asleep.
void begin_sleep() {
  run.sleeping = true;
  for (u32 i = 0; i < run.sleeping_stores; ++i) {
    const Choice& sleeper = run.schedule[run.schedule_size + i];
    StoreBuffer& buffer = actor(sleeper.thread).buffer;
    for (u32 k = 0; k < buffer.count; ++k) buffer.store[k].asleep |= buffer.store[k].position == sleeper.position;
  }
}

ThreadId by_tail(ThreadSet enabled) {
  if (run.cycle && !run.deadlocked) fail_deadlock();  // not before: the schedule may have plans for others
  if (run.endless_from) return take_turns(enabled);
  if (run.stale > kStaleLimit * count(run.live)) stop_going_round();
  run.chosen_arg = 0;
  const ThreadSet candidates = run.sleeping ? without_sleepers(enabled) : enabled;
  if (!candidates) end_run(RunStatus::Redundant);
  if (run.tail == Tail::Stop) end_run(RunStatus::Stopped);
  if (run.tail == Tail::Random || run.tail == Tail::Pct) {
    const ThreadId number = run.tail == Tail::Random
                                ? nth(candidates, next_random() >> 16)
                                : by_priority(without_yielded(candidates));
    run.chosen_arg = random_arg(number);
    return number;
  }
  // Stores wait only where the schedule says so.
  if (const ThreadSet buffers = candidates & run.buffers << kFirstBuffer) {
    run.chosen_arg = static_cast<u16>(__builtin_ctzll(awake(actor(lowest(buffers)))));
    return lowest(buffers);
  }
  ThreadSet eager = candidates & ~run.yielded;
  // The program's end can wait: what others would still do is worth seeing.
  if (eager & ~run.exiting) eager &= ~run.exiting;
  if (run.streak > kStreakLimit && (eager & ~bit(run.last_point))) eager &= ~bit(run.last_point);
  if (!eager) eager = candidates;
  if (eager & bit(run.last_point)) return run.last_point;
  const ThreadSet above = run.last_point + 1u < kMaxThreads ? eager & ~(bit(run.last_point + 1) - 1) : 0;
  return lowest(above ? above : eager);
}

ThreadId choose() {
  ThreadSet enabled = run.ready | run.buffers << kFirstBuffer;
  if (run.atomic_owner != kNoThread)
    enabled &= bit(run.atomic_owner) | (run.model == MemoryModel::Sc ? 0 : bit(buffer_of(run.atomic_owner)));
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

void wake_dependent(ThreadId who, const Operation& performed) {
  Operation next[machine::kBufferedStores];
  for (ThreadSet set = run.sleep; set; set &= set - 1) {
    const u32 count = next_accesses(lowest(set), next);
    for (u32 i = 0; i < count; ++i)
      if (machine::dependent(who, performed, lowest(set), next[i])) run.sleep &= ~bit(lowest(set));
  }
  for (ThreadSet set = run.sleeping_stores ? run.buffers : 0; set; set &= set - 1) {
    StoreBuffer& buffer = fibers[lowest(set)].buffer;
    for (u32 i = 0; i < buffer.count; ++i)
      if (machine::dependent(who, performed, buffer_of(lowest(set)), flush_of(buffer.store[i]))) buffer.store[i].asleep = false;
  }
}

/// What all scheduling points have in common. The event is filled but for that.
void note_point(Event& event, ThreadId who, const Operation& operation, const State& state) {
  run.last_actor = who;
  event.flags = event_flag::kPoint;
  event.enabled = run.states ? state.low : run.enabled;
  event.arg = run.chosen_arg;
  if (run.sleeping) {
    event.asleep = run.sleep;
    if (run.sleep || run.sleeping_stores) wake_dependent(who, operation);
  }
  if (run.states) event.asleep = state.high;
  if (++run.points <= run.max_events) return;
  if (&event != scratch) --run.event_count;  // it will not be performed, and has no result
  end_run(RunStatus::Limit);
}

/// A store of this buffer reaches memory. True if its thread has waited for that and goes on now.
bool flush(ThreadId buffer) {
  Fiber& fiber = actor(buffer);
  const u64 possible = flushable(fiber);
  const u32 index = run.chosen_arg;
  const Operation operation = flush_of(fiber.buffer.store[index]);
  Fiber* const current = run.current;
  run.current = &fiber;  // it is the one that fails
  run.for_another = true;
  check_alive(operation.location, operation.size, true, operation.site, FailureNote::Cause::Order);
  run.for_another = false;
  run.current = current;
  Event& event = next_event();
  fill(event, fiber, operation, fiber.buffer.store[index].position);
  event.thread = buffer;
  note_point(event, buffer, operation, {});
  event.extra = possible & (possible - 1) ? possible : 0;
  BufferedStore flushed;
  const u128 old = flush_store(fiber, index, flushed);
  event.value = static_cast<u64>(old);
  if (flushed.size == 16) extend(event, old, flushed.value, 0);
  if (fiber.buffer_wait == Fiber::Wait::Room || (fiber.buffer_wait == Fiber::Wait::Drained && fiber.buffer.count == 0)) {
    fiber.buffer_wait = Fiber::Wait::None;
    return true;
  }
  if (!(run.waiting & bit(fiber.id))) return false;
  if (is_enabled(fiber))
    run.ready |= bit(fiber.id);
  else if (closes_cycle(fiber))
    meet_cycle();
  return false;
}

/// Who goes on.
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

/// The current thread has parked with a pending operation: whoever let it run goes on, or the schedule decides.
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

}  // namespace

void check_thread() {
  const u64 stack = slice(run.current->id) + kStackOffset;
  if (reinterpret_cast<u64>(__builtin_frame_address(0)) - stack >= kStackSize) fail_foreign_thread();
}

namespace {

/// What the thread called since it was last here may keep state that we cannot see.
void note_calls(Fiber& fiber) {
  const Site* call = __plait_opaque ? __plait_opaque : __plait_unknown;
  __plait_opaque = __plait_unknown = nullptr;
  if (call && &fiber == run.current && !run.init_phase && !fiber.opaque) note_opaque(site_offset(call), "it called a function that may keep state");
}

void note_state(Fiber& fiber) {
  note_calls(fiber);
  fiber.state = fingerprint();
  for (const State& before : fiber.recent) {
    if (before.low != fiber.state.low || before.high != fiber.state.high || !before.low) continue;
    run.yielded |= bit(fiber.id);  // it goes round: others may change that
    ++run.stale;
    return;
  }
  run.stale = 0;
  fiber.recent[fiber.recent_next++ % (sizeof fiber.recent / sizeof fiber.recent[0])] = fiber.state;
}

}  // namespace

void switch_to(Fiber& fiber) {
  Fiber* from = run.current;
  if (run.states) note_calls(*from);
  run.current = &fiber;
  ++run.switches;
  from->user_site = __plait_user_site;
  __plait_user_site = fiber.user_site;
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
  if (run.states) note_state(fiber);
  note_pending(fiber);
  const ThreadSet me = bit(fiber.id);
  // While a schedule is followed, threads run over what it does not know of, as they do when it is not recorded.
  const bool runs_on = run.unshared && run.next_choice < run.schedule_size;
  run.unshared = false;
  if (runs_on)
    run.enabled = me;
  else
    yield_turn(fiber);

  run.ready &= ~me;
  run.waiting &= ~me;
  Event& event = next_event();
  fill(event, fiber, fiber.pending, fiber.pending_position);
  note_point(event, fiber.id, fiber.pending, fiber.state);
  run.streak = run.last_point == fiber.id ? run.streak + 1 : 0;
  run.last_point = fiber.id;
  run.yielded &= me;
  if (machine::drains(fiber.pending.op, fiber.pending.order)) fiber.buffer.pending.drain();
  return event;
}

namespace {

void await_buffer(Fiber::Wait wait, u32 site) {
  Fiber& fiber = *run.current;
  fiber.buffer_wait = wait;
  fiber.pending = {.op = Op::Fence, .order = Order::SeqCst, .site = site};
  fiber.pending_position = fiber.position;
  yield_turn(fiber);  // back here when flush() says so
}

}  // namespace

void await_drained(u32 site) {
  Fiber& fiber = *run.current;
  if (fiber.buffer.count) await_buffer(Fiber::Wait::Drained, site);
  fiber.buffer.pending.drain();
}

void fence(Order order, u32 site) {
  Fiber& fiber = *run.current;
  if (!run.active || run.init_phase || run.model == MemoryModel::Sc) return;
  // Where everything is recorded, stores that went to memory at once may turn out to be shared, and the fence to matter.
  const bool matters = fiber.buffer.pending.fence(run.model, order);
  if (!matters && !run.everything) return;
  if (matters && order != Order::SeqCst)
    fiber.buffer.barrier = fiber.buffer.count != 0;
  else if (matters && fiber.buffer.count)
    await_buffer(Fiber::Wait::Drained, site);
  record_free(Op::Fence, 0, 0, user_view(site, fiber)).order = order;
}

Order strengthened(Order order, u32 site) {
  const Session& session = *process.session;
  if (session.strong_count == 0) return order;
  const u32 seen = user_view(site, *run.current);
  for (u32 i = 0; i < session.strong_count; ++i)
    if (session.strong[i].site == seen && session.strong[i].order > order) return session.strong[i].order;
  return order;
}

Event& buffer_store(BufferedStore store) {
  check_thread();
  Fiber& fiber = *run.current;
  store.position = fiber.position;
  store.site = user_view(store.site, fiber);
  while (fiber.buffer.count == machine::kBufferedStores) await_buffer(Fiber::Wait::Room, store.site);
  store.barrier = fiber.buffer.count && machine::is_barrier(run.model, Op::Store, store.order);
  Event& event = next_event();
  fill(event, fiber, flush_of(store), fiber.position);
  event.op = Op::Store;
  event.value = static_cast<u64>(global_load(store.address, store.size));
  push_store(fiber, store);
  if (run.model == MemoryModel::Pso) run.sleep &= ~bit(buffer_of(fiber.id));  // it can do more than when it fell asleep
  return event;
}

namespace {

constexpr u32 kDestroyedMark = 0xdea11c0d;  // what a destroyed object holds

u32& mark_of(const Operation& operation) { return *reinterpret_cast<u32*>(operation.location); }

/// The objects may have lost their memory while the operation waited. (Whoever was woken has left the condition: machine::use_of_dead.)
void check_objects(const Operation& operation, const machine::Object& object) {
  const bool has_left = (operation.op == Op::CondWake || operation.op == Op::BarrierLeave) && (object.life & machine::life::kDestroyed);
  if (!has_left && operation.op != Op::FutexWake) check_alive(operation.location, 0, true, operation.site);
  if (machine::is_wait(operation.op)) check_alive(operation.operand, 0, true, operation.site);
}

}  // namespace

void end_objects(u64 begin, u64 end) {
  for (u32 i = 1; i < run.object_count; ++i)
    if (object_key[i] >= begin && object_key[i] < end) object_storage[i].life |= machine::life::kFreed;
  refresh_waiting();
}

void begin_objects(u64 begin, u64 end) {
  for (u32 i = 1; i < run.object_count; ++i)
    if (object_key[i] >= begin && object_key[i] < end) object_storage[i] = {};
  refresh_waiting();
}

Outcome synchronise(Operation operation) {
  begin_operation();
  if (run.watching) watch_read(operation.location, 1, operation.site);
  Visibility visibility = classify(operation.location, 1, true);
  u64 place = operation.location;
  if (machine::is_wait(operation.op)) {
    // A wait is an operation on the mutex, too: both are visible, or none.
    const Visibility mutex = classify(operation.operand, 1, true);
    if (visibility == Visibility::Visible && mutex == Visibility::Private) make_shared(operation.operand);
    if (visibility == Visibility::Private) visibility = mutex, place = operation.operand;
  }
  if (visibility == Visibility::OutsideBlock) fail_outside_block(place, 0, true, operation.site);
  if (!operation.object) operation.object = object_at(operation.location);
  machine::SyncState state = sync_state();
  machine::Object& object = object_storage[operation.object];
  const ThreadId me = run.current->id;
  Event* event = nullptr;
  // The program has given a destroyed object a new life by storing to it, as with PTHREAD_MUTEX_INITIALIZER.
  const auto revive = [&] {
    if (object.life == machine::life::kDestroyed && mark_of(operation) != kDestroyedMark) object = {};
  };
  revive();
  const bool blocks = !machine::enabled(state, me, operation);
  // Somebody waits for an object that nobody else has used: what it did with the object before matters after all.
  if (blocks && !run.init_phase && *active_of(operation.location) != kShared) make_shared(operation.location);
  if (blocks || machine::is_wait(operation.op)) run.unshared = false;
  if (visibility == Visibility::Visible || blocks)
    event = &await_turn(operation);
  else
    drain_unseen(operation.site);
  if (event) {
    check_objects(operation, object);
    revive();
  }
  if (operation.op == Op::FutexWait) operation.extra = read_memory<u32>(operation.location);
  const machine::Object before[] = {state.objects[operation.object], state.objects[operation.object2]};
  const Outcome outcome = machine::perform(state, me, operation, run.chosen_arg);
  if (outcome.misuse != machine::Misuse::None) {  // it has no effect on those who go on
    state.objects[operation.object] = before[0];
    state.objects[operation.object2] = before[1];
  }
  if (event) {
    event->value = outcome.value;
    event->extra = operation.op == Op::FutexWait ? operation.extra : outcome.choices;
    event->arg = outcome.arg;
    refresh_waiting();
  }
  if (machine::is_destroy(operation.op) && outcome.misuse == machine::Misuse::None) mark_of(operation) = kDestroyedMark;
  if (outcome.misuse != machine::Misuse::None)
    fail({.kind = FailureKind::LockMisuse,
          .site = operation.site,
          .address = operation.location,
          .cause = event ? FailureNote::Cause::Order : FailureNote::Cause::History},
         "T%u %s", me,
         machine::describe(outcome.misuse));
  return outcome;
}

void initialise(const Operation& operation) {
  if (run.active) {
    synchronise(operation);
    return;
  }
  if (initial_count == kMaxInitial) die("too many semaphores and barriers are initialised before main");
  initial[initial_count++] = operation;
}

u32 object_at(u64 location, u32 part) {
  const u64 key = location ^ (static_cast<u64>(part) << 56);
  u32 slot = static_cast<u32>((key * 0x9e3779b97f4a7c15ull) >> 48) % kMaxObjects;
  for (;; slot = (slot + 1) % kMaxObjects) {
    ObjectEntry& entry = object_table[slot];
    if (entry.generation != generation) {
      if (run.object_count + 1 >= kMaxObjects / 2)
        fail({.kind = FailureKind::OutOfResources}, "more than %u synchronisation objects in one run", kMaxObjects / 2);
      entry = {key, run.object_count++, generation};
      object_storage[entry.index] = machine::Object{};
      object_key[entry.index] = key;
      return entry.index;
    }
    if (entry.key == key) return entry.index;
  }
}

u64 object_key_of(u32 index) { return object_key[index]; }

Event& record_free(Op op, u64 location, u64 value, u32 site) {
  const Fiber& fiber = *run.current;
  Event& event = next_event();
  fill(event, fiber, {.op = op, .site = site, .location = location}, fiber.position);
  event.value = value;
  return event;
}

void run_silently(Fiber& fiber) {
  fiber.starter = run.current;
  switch_to(fiber);
}

void end_init_phase() {
  __plait_unknown = __plait_opaque = nullptr;  // what main did alone is the same in every run
  run.init_phase = false;
  for (u32 i = 0; i < run.object_count; ++i) {
    const machine::Object& object = object_storage[i];
    const u64 state = machine::packed(object);
    if (i == 0 || (state == kNoThread && object.waiters == 0)) continue;
    record_free(Op::Initial, object_key[i], state, kNoSite).operand = object.waiters;
  }
}

void* join(Fiber& child, bool wants_result, u32 site) {
  Fiber& fiber = *run.current;
  await_drained(site);
  if (!child.ended) {
    fiber.pending = {.op = Op::Join, .detail = wants_result, .site = site, .location = child.id};
    fiber.pending_position = fiber.position;
    fiber.state = {};
    note_pending(fiber);
    yield_turn(fiber);  // back here only when the child's end lets us (leave)
  }
  Event& event = record_free(Op::Join, child.id, wants_result ? reinterpret_cast<u64>(child.result) : 0, site);
  event.detail = wants_result;
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

namespace {

void note(const Note& fresh) {
  Session& session = *process.session;
  u32 count = __atomic_load_n(&session.note_count, __ATOMIC_ACQUIRE);
  for (u32 i = 0; i < count && i < kMaxNotes; ++i)
    if (session.note[i].kind == fresh.kind && session.note[i].site == fresh.site && session.note[i].other_site == fresh.other_site) return;
  if (count >= kMaxNotes) return;
  const u32 slot = __atomic_fetch_add(&session.note_count, 1, __ATOMIC_ACQ_REL);
  if (slot >= kMaxNotes) return;
  session.note[slot] = fresh;
  __atomic_store_n(&session.note[slot].ready, 1, __ATOMIC_RELEASE);
}

/// Legal, and often not meant: threads are cut off where they stand.
void leave_threads_behind(u32 site) {
  const ThreadId me = run.current->id;
  for (ThreadSet set = run.live & ~run.failed & ~bit(me); set; set &= set - 1) {
    const Fiber& other = fibers[lowest(set)];
    if (other.detached) continue;
    if (process.session->options.exit_with_threads)
      fail({.kind = FailureKind::ExitWithThreads, .site = site, .other_site = other.fork_site},
           "T%u ends the program while T%u still runs", me, other.id);
    note({.kind = FailureKind::ExitWithThreads, .thread = me, .other = other.id, .ready = 0, .site = site, .other_site = other.fork_site});
  }
}

}  // namespace

void exit_program(int code, u32 site) {
  run.exit_code = code;
  const ThreadId me = run.current->id;
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

namespace {

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
      event.enabled = fiber.state.low;
      event.asleep = fiber.state.high;
    }
    event.value = machine::awaited(sync_state(), fiber.id, fiber.pending);
  }
}

}  // namespace

void end_run(RunStatus status) {
  record_pending();  // also of a complete run: the program may end while threads run
  // In a run that only follows a schedule, failures before the program's end are those of threads that could have waited.
  const bool ended_first = run.again && !run.goes_on && status == RunStatus::Complete && run.exiting;
  if ((run.failed || run.deadlocked) && status != RunStatus::Diverged && !ended_first) status = RunStatus::Failed;
  run.status = status;
  run.active = false;
  run.current = &boot_fiber;
  __plait_context_jump(&run.loop);
}

u32 site_offset(const Site* site) {
  return site ? static_cast<u32>(reinterpret_cast<u64>(site) - reinterpret_cast<u64>(__start_plait_sites)) : kNoSite;
}

bool is_site(u64 address) {
  const u64 begin = reinterpret_cast<u64>(__start_plait_sites);
  address &= ~u64{kLibrarySite};
  return address >= begin && address < reinterpret_cast<u64>(__stop_plait_sites) && (address - begin) % sizeof(Site) == 0;
}

u32 take_call_site() {
  const Site* site = __plait_call_site;
  __plait_call_site = nullptr;
  return user_view(site_offset(site), *run.current);
}

void reset_run() {
  const Context loop = run.loop;
  run = Run{.current = &boot_fiber};
  run.loop = loop;
  __plait_entry.stack_pointer = 0;
  forget_stores();
  forget_ends();
  run.objects = object_storage;
  if (++generation == 0) {
    __builtin_memset(object_table, 0, sizeof object_table);
    generation = 1;
  }
  __plait_call_site = __plait_user_site = __plait_unknown = __plait_opaque = nullptr;
  machine::SyncState state = sync_state();
  for (u32 i = 0; i < initial_count; ++i) {
    Operation operation = initial[i];
    operation.object = object_at(operation.location);
    machine::perform(state, 0, operation, 0);
  }
}

}  // namespace plait::runtime
