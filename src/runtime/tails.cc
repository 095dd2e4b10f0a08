// What happens behind the schedule: the default order, random choices, priorities, sleep sets.
#include "machine/dependence.h"
#include "runtime/scheduling.h"

namespace plait::runtime {

using machine::Operation;

namespace {

constexpr u32 kStaleLimit = 64;    // for each thread: points without news before a run that nobody drives is over
constexpr u32 kEndlessPoints = 8;  // for each thread: what a livelock is shown by
constexpr u32 kStreakLimit =
    2000;  // points in a row before a thread counts as spinning, where the schedule leaves the choice

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

/// Everybody who is left goes round. What they look at counts as shared from now on, even if nobody else has touched it
/// yet: a loop must have a visible operation.
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

u64 mixed(u64 a, u64 b) {
  u64 x = a * 0x9e3779b97f4a7c15ull + b + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): the thread of the highest priority runs.
/// Priorities are random; at each of a few random points the running thread's one becomes lower than all others.
/// Buffers have priorities as threads have.
ThreadId by_priority(ThreadSet candidates) {
  for (u32 i = 1; i <= run.change_points; ++i)
    if (run.length && mixed(run.seed, 1000 + i) % run.length == run.points)
      run.lowered[run.last_actor] = static_cast<u8>(i);
  if (run.streak > kStreakLimit && (candidates & ~bit(run.last_point))) candidates &= ~bit(run.last_point);
  ThreadId best = kNoThread;
  for (ThreadSet set = candidates; set; set &= set - 1) {
    const ThreadId thread = lowest(set);
    if (best == kNoThread) {
      best = thread;
      continue;
    }
    const u8 mine = run.lowered[thread], its = run.lowered[best];
    const bool higher =
        mine != its ? mine == 0 || (its != 0 && mine < its) : mixed(run.seed, thread) > mixed(run.seed, best);
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
    if (const u32 index = static_cast<u32>(__builtin_ctzll(left)); fiber.buffer.store[index].asleep)
      set &= ~(u64{1} << index);
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

}  // namespace

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
    const ThreadId number =
        run.tail == Tail::Random ? nth(candidates, next_random() >> 16) : by_priority(without_yielded(candidates));
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

void wake_dependent(ThreadId who, const Operation& performed) {
  Operation next[machine::kMostBuffered];
  for (ThreadSet set = run.sleep; set; set &= set - 1) {
    const u32 count = next_accesses(lowest(set), next);
    for (u32 i = 0; i < count; ++i)
      if (machine::dependent(who, performed, lowest(set), next[i])) run.sleep &= ~bit(lowest(set));
  }
  for (ThreadSet set = run.sleeping_stores ? run.buffers : 0; set; set &= set - 1) {
    StoreBuffer& buffer = fibers[lowest(set)].buffer;
    for (u32 i = 0; i < buffer.count; ++i)
      if (machine::dependent(who, performed, buffer_of(lowest(set)), flush_of(buffer.store[i])))
        buffer.store[i].asleep = false;
  }
}

void wake_all() {
  if (!run.sleeping) return;
  run.sleep = 0;
  for (ThreadSet set = run.sleeping_stores ? run.buffers : 0; set; set &= set - 1) {
    StoreBuffer& buffer = fibers[lowest(set)].buffer;
    for (u32 i = 0; i < buffer.count; ++i) buffer.store[i].asleep = false;
  }
}

}  // namespace plait::runtime
