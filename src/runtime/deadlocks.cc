// Threads that wait for each other, and threads that go round for ever.
#include "runtime/failure.h"
#include "runtime/scheduling.h"

namespace plait::runtime {

namespace {

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
    if (!cycle && (found.site == kNoSite || fiber.pending.op != Op::Join || closes_cycle(fiber)))
      found.site = user_view(fiber.pending.site, fiber);
    cycle |= closes_cycle(fiber);
    if (used + 80 < sizeof found.text) {
      used += static_cast<unsigned>(__builtin_snprintf(found.text + used, sizeof found.text - used, "%sT%u %s",
                                                       used ? "; " : "", fiber.id, name_of(fiber.pending.op)));
      if (other != kNoThread)
        used +=
            static_cast<unsigned>(__builtin_snprintf(found.text + used, sizeof found.text - used,
                                                     fiber.pending.op == Op::Join ? " T%u" : ", held by T%u", other));
    }
  }
  found.kind = (run.live & ~blocked) != 0 ? "deadlock of some threads" : "deadlock";
  return found;
}

}  // namespace

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

/// The pending operations tell the rest.
void fail_deadlock() {
  const Deadlock found = describe_deadlock();
  fail({.kind = FailureKind::Deadlock, .site = found.site}, "%s: %s", found.kind, found.text);
}

void meet_cycle() {
  run.cycle = true;
  if (!run.goes_on || run.deadlocked) return;
  const Deadlock found = describe_deadlock();
  note_failure({.kind = FailureKind::Deadlock, .site = found.site}, "%s: %s", found.kind, found.text);
  for (ThreadSet set = run.live & run.waiting & ~run.ready; set; set &= set - 1)
    if (closes_cycle(fibers[lowest(set)])) run.deadlocked |= bit(lowest(set));
}

void fail_livelock() {
  char text[200];
  unsigned used = 0;
  u32 site = kNoSite;
  for (ThreadSet set = run.live; set; set &= set - 1) {
    const Fiber& fiber = fibers[lowest(set)];
    if (used + 60 >= sizeof text) break;
    const bool blocked = (run.waiting & bit(fiber.id)) && !(run.ready & bit(fiber.id));
    if (!blocked && site == kNoSite) site = user_view(fiber.pending.site, fiber);
    used += static_cast<unsigned>(__builtin_snprintf(text + used, sizeof text - used, "%sT%u %s", used ? "; " : "",
                                                     fiber.id,
                                                     blocked ? name_of(fiber.pending.op) : "goes round in a loop"));
  }
  fail({.kind = FailureKind::Livelock, .site = site, .claim = run.claim},
       "no schedule can end the program from here on: %s", text);
}

}  // namespace plait::runtime
