// Knowledge of programs with any number of threads, taught by traces that are made up, not run: for tests and
// benchmarks of searches whose size must be known beforehand.
#pragma once
#include <stdexcept>
#include <vector>

#include "knowledge/behaviour.h"

namespace plait::testing_traces {

/// A trace in the making: main has forked all threads; they are 1, 2, ... `threads`.
class ManyThreads {
 public:
  explicit ManyThreads(unsigned threads) : threads_(threads), positions_(threads + 1) {
    for (unsigned child = 1; child <= threads_; ++child) {
      add(0, Op::Fork, child).operand = 0x40 + child;
      add(child, Op::Begin, child);
    }
  }
  void load(unsigned thread, u64 location, u64 value) { access(thread, Op::Load, location).value = value; }
  void store(unsigned thread, u64 location, u64 value, u64 old) {
    Event& event = access(thread, Op::Store, location);
    event.operand = value;
    event.value = old;
  }
  void teach(Behaviour& knowledge) {
    for (unsigned thread = 1; thread <= threads_; ++thread) add(thread, Op::End, 0);
    for (unsigned child = 1; child <= threads_; ++child) add(0, Op::Join, child);
    add(0, Op::Exit, 0);
    const std::string contradiction = knowledge.learn(events_, "", {}, false, [](u64, u64) { return true; });
    if (!contradiction.empty()) throw std::logic_error(contradiction);
  }

 private:
  Event& add(unsigned thread, Op op, u64 location) {
    Event event{};
    event.thread = static_cast<ThreadId>(thread);
    event.op = op;
    event.location = location;
    event.position = ++positions_[thread];
    event.site = positions_[thread] * 100 + thread;
    events_.push_back(event);
    return events_.back();
  }
  Event& access(unsigned thread, Op op, u64 location) {
    Event& event = add(thread, op, location);
    event.size = 4;
    event.order = Order::SeqCst;
    event.flags = event_flag::kPoint;
    return event;
  }

  unsigned threads_;
  std::vector<Event> events_;
  std::vector<u32> positions_;
};

inline u64 variable(unsigned number) { return 0x1000 + 64 * number; }

/// Each thread stores `stores` values of its own to one variable.
inline Behaviour writers(unsigned threads, unsigned stores) {
  Behaviour knowledge;
  ManyThreads trace(threads);
  u64 old = 0;
  for (unsigned thread = 1; thread <= threads; ++thread)
    for (unsigned i = 0; i < stores; ++i) {
      const u64 value = thread * 100 + i;
      trace.store(thread, variable(0), value, old);
      old = value;
    }
  trace.teach(knowledge);
  return knowledge;
}

/// Store buffering in a ring; both results of every load are known.
inline Behaviour store_buffering_ring(unsigned threads) {
  Behaviour knowledge;
  for (const bool ascending : {true, false}) {
    ManyThreads trace(threads);
    std::vector<u64> value(threads + 1);
    for (unsigned i = 1; i <= threads; ++i) {
      const unsigned thread = ascending ? i : threads + 1 - i, next = thread % threads + 1;
      trace.store(thread, variable(thread), 1, 0);
      value[thread] = 1;
      trace.load(thread, variable(next), value[next]);
    }
    trace.teach(knowledge);
  }
  return knowledge;
}

/// Threads that never meet: each stores to a variable of its own.
inline Behaviour strangers(unsigned threads, unsigned stores) {
  Behaviour knowledge;
  ManyThreads trace(threads);
  for (unsigned thread = 1; thread <= threads; ++thread)
    for (unsigned i = 0; i < stores; ++i) trace.store(thread, variable(thread), i + 1, i);
  trace.teach(knowledge);
  return knowledge;
}

}  // namespace plait::testing_traces
