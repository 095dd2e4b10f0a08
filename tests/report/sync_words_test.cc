// Whom a signal wakes: the words of the report against sets of waiters that are kept by hand, for random traces.
#include "report/sync_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "report/buffers.h"
#include "sample.h"

namespace plait {
namespace {

constexpr u64 kCondition = 0x100, kMutex = 0x200, kSemaphore = 0x300;

BugEvent step(ThreadId thread, Op op, u64 location, const std::string& where) {
  BugEvent e = sample::event(thread, 1, op, 1, where, "");
  e.raw.location = location;
  e.raw.size = 0;
  return e;
}

std::string name(ThreadSet set, const char* words) {
  return set ? fmt::format(" ({} {})", words, thread_list(Bug{}, set)) : " (nobody waits)";
}

TEST(SyncWords, RandomSignalsWakeWhoWaits) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    Bug bug;
    std::vector<std::string> expected;
    ThreadSet waiting = 0, woken = 0;
    for (int i = 0; i < 30; ++i) {
      const auto thread = static_cast<ThreadId>(1 + random() % 4);
      std::string words;
      if ((waiting | woken) & bit(thread)) {
        // Whoever was woken goes on, others stay.
        if (!(woken & bit(thread))) continue;
        woken &= ~bit(thread);
        BugEvent wake = step(thread, Op::CondWake, kCondition, "c");
        wake.raw.operand = kMutex;
        bug.events.push_back(wake);
        expected.push_back("");
        bug.events.push_back(step(thread, Op::Unlock, kMutex, "m"));
      } else if (random() % 2) {
        bug.events.push_back(step(thread, Op::Lock, kMutex, "m"));
        expected.push_back("");
        BugEvent wait = step(thread, Op::CondWait, kCondition, "c");
        wait.raw.operand = kMutex;
        bug.events.push_back(wait);
        waiting |= bit(thread);
      } else {
        BugEvent signal = step(thread, random() % 3 ? Op::Signal : Op::Broadcast, kCondition, "c");
        ThreadSet now = waiting;
        if (signal.raw.op == Op::Signal && count(waiting) > 1) {
          // The choice is in the event, and only then.
          do signal.raw.arg = static_cast<u16>(1 + random() % 4);
          while (!(waiting & bit(static_cast<ThreadId>(signal.raw.arg))));
          signal.raw.extra = waiting;
          now = bit(static_cast<ThreadId>(signal.raw.arg));
        }
        words = name(now, "wakes");
        waiting &= ~now;
        woken |= now;
        bug.events.push_back(signal);
      }
      expected.push_back(words);
    }
    EXPECT_EQ(wake_words(bug), expected) << "seed " << seed;
  }
}

TEST(SyncWords, TheOnlyWaiterIsTold) {
  Bug bug;
  BugEvent wait = step(1, Op::FutexWait, kCondition, "flag");
  bug.events = {wait, step(2, Op::FutexNotify, kCondition, "flag"), step(2, Op::FutexNotify, kCondition, "flag")};
  bug.events[1].raw.operand = bug.events[2].raw.operand = 1;
  const Buffers buffers(bug);
  EXPECT_EQ(buffers.told(1), "notify flag (wakes T1)");
  EXPECT_EQ(buffers.told(2), "notify flag (nobody waits)");
}

TEST(SyncWords, WaitersFromBeforeTheTrace) {
  Bug bug;
  BugEvent initial = step(0, Op::Initial, kCondition, "c");
  initial.raw.value = machine::packed({.owner = kNoThread});
  initial.raw.operand = bit(1);
  bug.events = {initial, step(2, Op::Signal, kCondition, "c")};
  EXPECT_EQ(wake_words(bug)[1], " (wakes T1)");
}

TEST(SyncWords, Semaphores) {
  Bug bug;
  BugEvent pending = step(1, Op::SemWait, kSemaphore, "s");
  pending.raw.flags = event_flag::kPending;
  bug.events = {step(1, Op::Begin, 0, ""), step(2, Op::SemPost, kSemaphore, "s"), step(1, Op::SemWait, kSemaphore, "s"),
                step(2, Op::SemPost, kSemaphore, "s"), step(2, Op::SemPost, kSemaphore, "s")};
  const std::vector<std::string> words = wake_words(bug);
  EXPECT_EQ(words[1], " (lets T1 go on)");
  EXPECT_EQ(words[3], " (nobody waits, it is 1 now)");
  EXPECT_EQ(words[4], " (nobody waits, it is 2 now)");
}

TEST(SyncWords, HeldLocks) {
  Bug bug;
  BugEvent wait = step(1, Op::CondWait, kCondition, "c"), wake = step(1, Op::CondWake, kCondition, "c");
  wait.raw.operand = wake.raw.operand = kMutex;
  bug.events = {step(1, Op::Lock, kMutex, "m"), step(1, Op::Lock, 0x400, "n"), wait, wake,
                step(1, Op::Unlock, 0x400, "n")};
  auto names = [&](size_t at) {
    std::string text;
    for (const HeldLock& lock : held_locks(bug, 1, at)) text += lock.name + " ";
    return text;
  };
  EXPECT_EQ(names(0), "");
  EXPECT_EQ(names(2), "m n ");
  EXPECT_EQ(names(3), "n ");
  EXPECT_EQ(names(4), "n m ");
  EXPECT_EQ(names(5), "m ");
}

}  // namespace
}  // namespace plait
