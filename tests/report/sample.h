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

inline Visibility three_threads() {
  Visibility visibility;
  visibility.identities = {{kNoThread, 0, 0}, {0, 0, 0}, {0, 0, 1}};
  visibility.shared = {{0x1000, 4}};
  return visibility;
}

/// Two deposits, one lost.
inline Bug lost_update() {
  Bug bug;
  bug.program = {"", {"./bank", {"7"}, ""}, {"src/bank.cc"}, {"-O2"}};
  bug.visibility = three_threads();
  bug.schedule.choices = {{Choice::Run, 1, 0, 3}, {Choice::Run, 2, 0, 4}, {Choice::Run, 1, 0, 4}};
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
  bug.visibility = three_threads();
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

/// A buffered store: no scheduling point, and memory still holds `old`.
inline BugEvent buffered(ThreadId thread, u32 position, u32 line, const std::string& where, u64 value, u64 old = 0) {
  BugEvent e = event(thread, position, Op::Store, line, where, where + " = " + std::to_string(value) + ";", old, value);
  e.raw.order = Order::Relaxed;
  e.raw.flags = 0;
  return e;
}

inline BugEvent flush(const BugEvent& store, u64 old = 0) {
  BugEvent e = store;
  e.raw.op = Op::Flush;
  e.raw.thread = buffer_of(store.raw.thread);
  e.raw.flags = event_flag::kPoint;
  e.raw.value = old;
  return e;
}

inline Bug weak_memory(MemoryModel model) {
  Bug bug;
  bug.program = {"", {"./weak", {}, ""}, {}, {}};
  bug.visibility = three_threads();
  bug.options.memory_model = model;
  BugFailure failure;
  failure.kind = FailureKind::Assertion;
  failure.message = "assertion failed: a == 1 || b == 1";
  failure.thread = 2;
  failure.place = {"src/bank.cc", 40, 3, "main", ""};
  failure.frames = {failure.place};
  bug.failure = failure;
  return bug;
}

/// Store buffering: each thread writes, then reads what the other has written. T1 reads its own store back.
inline Bug store_buffering() {
  Bug bug = weak_memory(MemoryModel::Tso);
  BugEvent x = buffered(1, 1, 12, "x", 1), y = buffered(2, 1, 29, "y", 1);
  bug.events = {x,
                y,
                event(1, 2, Op::Load, 13, "x", "c = x;", 1),
                event(1, 3, Op::Load, 14, "y", "a = y;", 0),
                flush(y),
                event(2, 2, Op::Load, 30, "x", "b = x;", 0),
                flush(x)};
  return bug;
}

/// Message passing: the flag reaches memory before the data, which is still in the buffer when the run ends.
inline Bug message_passing() {
  Bug bug = weak_memory(MemoryModel::Pso);
  BugEvent data = buffered(1, 1, 8, "data", 42), flag = buffered(1, 2, 9, "flag", 1);
  bug.events = {data, flag, flush(flag), event(2, 1, Op::Load, 16, "flag", "if (flag)", 1),
                event(2, 2, Op::Load, 17, "data", "assert(data == 42);", 0)};
  return bug;
}

}  // namespace plait::sample
