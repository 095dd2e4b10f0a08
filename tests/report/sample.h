// Recorded runs made by hand, for the tests of what people read.
#pragma once
#include "report/bug.h"

namespace plait::sample {

inline BugEvent event(ThreadId thread, u32 position, Op op, u32 line, const std::string& where,
                      const std::string& source, u64 value = 0, u64 operand = 0) {
  BugEvent e{};
  e.raw.thread = thread;
  e.raw.position = position;
  e.raw.op = op;
  e.raw.size = 4;
  e.raw.location = std::hash<std::string>()(where) & 0xfffffff0;
  e.raw.value = value;
  e.raw.operand = operand;
  e.raw.enabled = bit(0) | bit(1) | bit(2);
  e.raw.flags = event_flag::kPoint;
  e.raw.site = kNoSite;
  e.place = {"src/bank.cc", line, 3, "deposit(int)", where};
  e.where = where;
  e.source = source;
  return e;
}

inline Knowledge three_threads() {
  Knowledge knowledge;
  knowledge.identities = {{kNoThread, 0, 0}, {0, 0, 0}, {0, 0, 1}};
  knowledge.shared = {{0x1000, 4}};
  return knowledge;
}

/// Two deposits, one lost.
inline Bug lost_update() {
  Bug bug;
  bug.program = {"", {"./bank", {"7"}, ""}, {"src/bank.cc"}, {"-O2"}};
  bug.knowledge = three_threads();
  bug.schedule = {{Choice::Run, 1, 0, 3}, {Choice::Run, 2, 0, 4}, {Choice::Run, 1, 0, 4}};
  bug.events = {event(1, 3, Op::Load, 14, "balance", "int old = balance;", 100),
                event(2, 3, Op::Load, 14, "balance", "int old = balance;", 100),
                event(2, 4, Op::Store, 15, "balance", "balance = old + amount;", 100, 150),
                event(1, 4, Op::Store, 15, "balance", "balance = old + amount;", 150, 120),
                event(0, 9, Op::Load, 23, "balance", "assert(balance == 170);", 120)};
  BugFailure failure;
  failure.kind = FailureKind::Assertion;
  failure.message = "assertion failed: balance == 170";
  failure.place = {"src/bank.cc", 23, 3, "main", ""};
  failure.frames = {failure.place};
  failure.source = "assert(balance == 170);";
  bug.failure = failure;
  bug.output = "hello\n";
  bug.exit_code = 0;
  return bug;
}

/// Locks taken in opposite order.
inline Bug lock_order() {
  Bug bug;
  bug.program = {"", {"./locks", {}, ""}, {}, {}};
  bug.knowledge = three_threads();
  bug.events = {event(1, 1, Op::Lock, 10, "a", "pthread_mutex_lock(&a);"),
                event(2, 1, Op::Lock, 20, "b", "pthread_mutex_lock(&b);")};
  auto pending = [](ThreadId thread, u32 line, const std::string& where, ThreadId holder) {
    BugEvent e = event(thread, 2, Op::Lock, line, where, "pthread_mutex_lock(&" + where + ");", holder);
    e.raw.flags = event_flag::kPending;
    return e;
  };
  BugEvent join = event(0, 5, Op::Join, 30, "", "pthread_join(t, NULL);", 1);
  join.raw.flags = event_flag::kPending;
  join.raw.location = 1;
  bug.events.push_back(join);
  bug.events.push_back(pending(1, 11, "b", 2));
  bug.events.push_back(pending(2, 21, "a", 1));
  BugFailure failure;
  failure.kind = FailureKind::Deadlock;
  failure.message = "deadlock: T1 locks, held by T2; T2 locks, held by T1";
  failure.thread = 2;
  failure.place = {"src/bank.cc", 21, 3, "work", ""};
  failure.frames = {failure.place};
  bug.failure = failure;
  return bug;
}

}  // namespace plait::sample
