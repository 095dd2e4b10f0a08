// Traces written by hand: main forks T1 and T2, they access x and y, main joins them.
#pragma once
#include <vector>

#include "knowledge/behaviour.h"

namespace plait::testing_traces {

constexpr u64 kX = 0x1000, kY = 0x2000;

class Trace {
 public:
  Trace() {
    for (u64 child : {1, 2}) {
      add(0, Op::Fork, child).operand = 0x40 + child;
      add(static_cast<ThreadId>(child), Op::Begin, child);
    }
  }
  Trace& load(ThreadId thread, u64 location, u64 value) {
    Event& event = access(thread, Op::Load, location);
    event.value = value;
    return *this;
  }
  Trace& store(ThreadId thread, u64 location, u64 value, u64 old = 0) {
    Event& event = access(thread, Op::Store, location);
    event.operand = value;
    event.value = old;
    return *this;
  }
  /// The last access was performed in this state of its thread.
  Trace& in_state(u64 fingerprint) {
    events_.back().state_low = fingerprint | 1;
    events_.back().state_high = fingerprint;
    states_ = true;
    return *this;
  }
  Trace& end() {
    for (ThreadId thread : {1, 2}) add(thread, Op::End, 0);
    for (u64 child : {1, 2}) add(0, Op::Join, child);
    add(0, Op::Exit, 0);
    return *this;
  }
  std::string teach(Behaviour& knowledge) const {
    return knowledge.learn(events_, "", {}, states_, [](u64, u64) { return true; });
  }
  /// A run that was stopped while T1 goes round; only `ended` has ended.
  std::string teach_cut(Behaviour& knowledge, ThreadId ended) {
    add(ended, Op::End, 0);
    add(0, Op::Join, 1).flags = event_flag::kPending;
    const Event last = [&] {
      for (size_t i = events_.size(); i-- > 0;)
        if (events_[i].thread == 1 && events_[i].op == Op::Load) return events_[i];
      return Event{};
    }();
    events_.push_back(last);
    events_.back().position = ++positions_[1];
    events_.back().flags = event_flag::kPending;
    return knowledge.learn(events_, "", {}, states_, [](u64, u64) { return true; });
  }

 private:
  Event& add(ThreadId thread, Op op, u64 location) {
    Event event{};
    event.thread = thread;
    event.op = op;
    event.location = location;
    event.position = ++positions_[thread];
    event.site = static_cast<u32>(op) * 100 + thread;
    events_.push_back(event);
    return events_.back();
  }
  Event& access(ThreadId thread, Op op, u64 location) {
    Event& event = add(thread, op, location);
    event.size = 4;
    event.order = Order::Relaxed;
    event.flags = event_flag::kPoint;
    return event;
  }
  std::vector<Event> events_;
  u32 positions_[3] = {};
  bool states_ = false;
};

/// Store buffering: T1 stores x and loads y, T2 stores y and loads x. T1 first.
inline Trace store_buffering() { return Trace().store(1, kX, 1).load(1, kY, 0).store(2, kY, 1).load(2, kX, 1).end(); }

}  // namespace plait::testing_traces
