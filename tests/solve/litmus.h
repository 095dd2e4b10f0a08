// Small traces by hand, for the tests of memory models. Main forks two threads and joins nobody; every event must be
// possible where it stands.
#pragma once
#include <vector>

#include "trace/event.h"

namespace plait::solve {

class Litmus {
 public:
  static constexpr u64 kX = 0x1000, kY = 0x2000;

  Litmus() {
    for (ThreadId t = 1; t <= 2; ++t) add(0, Op::Fork, t);
    for (ThreadId t = 1; t <= 2; ++t) add(t, Op::Begin);
  }
  /// Events are numbered as they come; so are the steps of the model.
  u32 store(ThreadId thread, u64 location, u64 value, Order order = Order::Relaxed, u8 size = 4) {
    Event& event = add(thread, Op::Store, location, size, order);
    event.operand = value;
    if (order == Order::SeqCst) event.flags = event_flag::kPoint;
    return last();
  }
  u32 flush(u32 store, u64 overwritten = 0) {
    Event event = events_[store];
    event.op = Op::Flush;
    event.value = overwritten;
    event.thread = buffer_of(event.thread);
    event.flags = event_flag::kPoint;
    events_.push_back(event);
    return last();
  }
  u32 load(ThreadId thread, u64 location, u64 value, u8 size = 4) {
    Event& event = add(thread, Op::Load, location, size, Order::SeqCst);
    event.value = value;
    event.flags = event_flag::kPoint;
    return last();
  }
  u32 fence(ThreadId thread, Order order = Order::SeqCst) { return add(thread, Op::Fence, 0, 0, order), last(); }

  const std::vector<Event>& events() const { return events_; }

 private:
  Event& add(ThreadId thread, Op op, u64 location = 0, u8 size = 0, Order order = Order::SeqCst) {
    Event event{};
    event.op = op;
    event.thread = thread;
    event.location = location;
    event.size = size;
    event.order = order;
    event.position = ++positions_[thread];
    events_.push_back(event);
    return events_.back();
  }
  u32 last() const { return static_cast<u32>(events_.size() - 1); }

  std::vector<Event> events_;
  u32 positions_[3] = {};
};

}  // namespace plait::solve
