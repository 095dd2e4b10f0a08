// Clocks, sleeping, yielding: on virtual time.
//
// Waiting for a while (instrument/timed_waits.h) is no look at a clock: what the library sees of time stays inside of
// the call. As long as no thread looks at a clock otherwise, nobody can tell when such a wait began. So time begins
// anew with it, and passes only if the wait times out or something inside of it sleeps: each turn of a loop that waits
// with a time-out leaves the same state behind. A wait inside of another one (by a predicate) goes on with the outer
// one's time. An exception that leaves a wait without a clean-up leaves it open: time then goes on, which costs merges
// only. Once a thread has looked, all looks are alike, and the clock is a part of the state.
#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/ghost.h"
#include "runtime/interpose.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

constexpr u64 kSecond = 1000000000;
constexpr u64 kEpoch = 1000000000 * kSecond;  // September 2001

timespec to_timespec(u64 nanoseconds) {
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}

/// Of a timed wait: of what instrument/timed_waits.cc and deadlines.cc enclose.
constexpr int kEnds = 0, kBegins = 1;  // 2: begins anew

bool look_is_unseen() { return run.current->timed_waits && !process.session->clock_matters; }

constexpr u16 kIdleYields = 64;

/// A thread that does nothing but give way may do so for ever, and must not keep the others from going on: from some
/// point on that is a step like any other.
void give_way() {
  begin_operation();
  Fiber& fiber = *run.current;
  run.yielded |= bit(fiber.id);
  if (run.init_phase || fiber.idle_yields++ < kIdleYields) return;
  fiber.idle_yields = kIdleYields;
  await_turn({.op = Op::Yield, .site = call_site()});
}

void sleep_for(u64 nanoseconds) {
  run.current->clock += nanoseconds;
  give_way();
}

u64 to_nanoseconds(const timespec& time) {
  return static_cast<u64>(time.tv_sec) * kSecond + static_cast<u64>(time.tv_nsec);
}

}  // namespace

u64 now() {
  note_input(input_kind::kClock);
  if (!process.session->clock_matters && run.active) {
    // From now on its clock is part of a thread's state; what was learned about states before does not hold.
    process.session->clock_matters = 1;
    run.clock_found = true;
  }
  return kEpoch + (run.current->clock += kTick);
}

void pass(const timespec& deadline) {
  const u64 end = to_nanoseconds(deadline);
  if (end > kEpoch + run.current->clock) run.current->clock = end - kEpoch;
}

}  // namespace plait::runtime

using namespace plait::runtime;

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!run.active) return PLAIT_REAL(clock_gettime)(clock, time);
  give(time, to_timespec(now()));
  return 0;
}
int clock_getres(clockid_t, timespec* resolution) noexcept {
  give(resolution, timespec{0, 1});
  return 0;
}
int gettimeofday(timeval* __restrict time, void* __restrict) noexcept {
  const timespec value = to_timespec(now());
  give(time, timeval{value.tv_sec, value.tv_nsec / 1000});
  return 0;
}
time_t time(time_t* result) noexcept {
  if (!run.active) return PLAIT_REAL(time)(result);
  const time_t value = to_timespec(now()).tv_sec;
  give(result, value);
  return value;
}
int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC) return 0;
  give(time, to_timespec(now()));
  return base;
}
clock_t clock() noexcept { return static_cast<clock_t>((now() - kEpoch) / 1000); }

int nanosleep(const timespec* duration, timespec*) {
  if (!run.active) return PLAIT_REAL(nanosleep)(duration, nullptr);
  sleep_for(to_nanoseconds(take(duration)));
  return 0;
}
int clock_nanosleep(clockid_t, int flags, const timespec* time, timespec*) {
  const timespec wanted = take(time);
  if (flags & TIMER_ABSTIME)
    pass(wanted);
  else
    run.current->clock += to_nanoseconds(wanted);
  give_way();
  return 0;
}
int usleep(useconds_t duration) {
  sleep_for(duration * 1000ull);
  return 0;
}
unsigned sleep(unsigned seconds) {
  sleep_for(seconds * kSecond);
  return 0;
}
int sched_yield() noexcept {
  if (run.active) give_way();
  return 0;
}
void __plait_sleep(time_t seconds, long nanoseconds) {
  const timespec duration{seconds, nanoseconds};
  if (!run.active)
    PLAIT_REAL(nanosleep)(&duration, nullptr);
  else
    sleep_for(to_nanoseconds(duration));
}
void __plait_yield() { sched_yield(); }

void __plait_timed_wait(int what) {
  if (!run.active) return;
  Fiber& fiber = *run.current;
  if (what == kEnds) {
    if (fiber.timed_waits) --fiber.timed_waits;
    return;
  }
  if (what == kBegins) ++fiber.timed_waits;
  if (fiber.timed_waits == 1 && !process.session->clock_matters) fiber.clock = 0;
}
int64_t __plait_look() {
  timespec time = {};
  if (!run.active) {
    PLAIT_REAL(clock_gettime)(CLOCK_MONOTONIC, &time);
    return static_cast<int64_t>(to_nanoseconds(time));
  }
  return static_cast<int64_t>(look_is_unseen() ? kEpoch + run.current->clock : now());
}
int __plait_look_at(int clock, void* time) {
  if (!run.active || !look_is_unseen()) return clock_gettime(clock, static_cast<timespec*>(time));
  give(static_cast<timespec*>(time), to_timespec(kEpoch + run.current->clock));
  return 0;
}
}
