// Which events wait for which because of store buffers; whose turn it is when they are flushed.
#include "explore/store_order.h"

#include <gtest/gtest.h>

#include "explore/causal_order.h"
#include "explore/preemption.h"

namespace plait {
namespace {

using Numbers = std::vector<size_t>;
constexpr ThreadId kThread = 3, kBuffer = buffer_of(kThread);
constexpr machine::MemoryRules kSc = machine::rules_of(MemoryModel::Sc), kTso = machine::rules_of(MemoryModel::Tso),
                               kPso = machine::rules_of(MemoryModel::Pso);

Event event(Op op, u32 position, u64 location = 0, Order order = Order::Plain) {
  Event result{};
  result.op = op;
  result.thread = op == Op::Flush ? kBuffer : kThread;
  result.position = position;
  result.location = location;
  result.size = location ? 4 : 0;
  result.order = order;
  if (op == Op::Flush || op == Op::Load) result.flags = event_flag::kPoint;
  return result;
}

std::vector<Numbers> waits(StoreOrder& order, const std::vector<Event>& events) {
  std::vector<Numbers> result;
  for (const Event& one : events) result.push_back(order.next(one, result.size()));
  return result;
}

std::vector<Numbers> waits(const machine::MemoryRules& memory, const std::vector<Event>& events) {
  StoreOrder order(memory);
  return waits(order, events);
}

Numbers stores(const StoreOrder& order) {
  Numbers result;
  for (const StoreOrder::Flushable& one : order.flushable()) result.push_back(one.store);
  return result;
}

TEST(StoreOrder, FirstInFirstOutUnderTso) {
  const auto found = waits(
      kTso, {event(Op::Store, 1, 100), event(Op::Store, 2, 200), event(Op::Flush, 1, 100), event(Op::Flush, 2, 200)});
  EXPECT_EQ(found[2], Numbers{0});
  EXPECT_EQ(found[3], (Numbers{1, 2}));
}

TEST(StoreOrder, UnderPsoOnlyOverlapsAndBarriersOrder) {
  const std::vector<Event> flushes = {event(Op::Flush, 1, 100), event(Op::Flush, 9, 200)};
  auto with = [&](std::vector<Event> events) {
    events.insert(events.end(), flushes.begin(), flushes.end());
    return waits(kPso, events).back();
  };
  EXPECT_EQ(with({event(Op::Store, 1, 100), event(Op::Store, 9, 200)}), Numbers{1});
  EXPECT_EQ(with({event(Op::Store, 1, 100), event(Op::Store, 9, 103)}), (Numbers{1, 2}));
  EXPECT_EQ(with({event(Op::Store, 1, 100), event(Op::Store, 9, 200, Order::Release)}), (Numbers{1, 2}));
  EXPECT_EQ(with({event(Op::Store, 1, 100), event(Op::Fence, 2, 0, Order::AcqRel), event(Op::Store, 9, 200)}),
            (Numbers{2, 3}));
  EXPECT_EQ(with({event(Op::Store, 1, 100), event(Op::Fence, 2, 0, Order::Acquire), event(Op::Store, 9, 200)}),
            Numbers{2});
}

TEST(StoreOrder, DrainingWaitsForAllAndLoadsForNone) {
  for (const machine::MemoryRules& memory : {kTso, kPso}) {
    const auto found = waits(memory, {event(Op::Store, 1, 100), event(Op::Store, 2, 200), event(Op::Flush, 1, 100),
                                      event(Op::Load, 3, 100), event(Op::Flush, 2, 200), event(Op::Fork, 4),
                                      event(Op::Lock, 5), event(Op::Store, 6, 100), event(Op::Flush, 6, 100)});
    EXPECT_EQ(found[3], Numbers{});
    EXPECT_EQ(found[5], (Numbers{2, 4}));
    EXPECT_EQ(found[6], Numbers{});  // the fork has waited
    EXPECT_EQ(found[8], Numbers{7});
  }
}

TEST(StoreOrder, NothingWaitsUnderSc) {
  EXPECT_EQ(waits(kSc, {event(Op::Store, 1, 100), event(Op::Fork, 2)})[1], Numbers{});
}

TEST(StoreOrder, WhatCouldBeFlushed) {
  const std::vector<Event> events = {event(Op::Store, 1, 100), event(Op::Store, 2, 200), event(Op::Store, 3, 102),
                                     event(Op::Store, 4, 300, Order::Release)};
  StoreOrder tso(kTso), pso(kPso);
  waits(tso, events);
  waits(pso, events);
  EXPECT_EQ(stores(tso), Numbers{0});
  EXPECT_EQ(stores(pso), (Numbers{0, 1}));
  pso.next(event(Op::Flush, 1, 100), 4);
  EXPECT_EQ(stores(pso), (Numbers{1, 2}));
  EXPECT_TRUE(pso.holds_stores(kThread));
}

TEST(StoreOrder, AStoreWaitsForRoom) {
  std::vector<Event> events;
  for (u32 i = 1; i <= machine::kMostBuffered; ++i) events.push_back(event(Op::Store, i, 100 * i));
  events.push_back(event(Op::Flush, 1, 100));
  events.push_back(event(Op::Store, 50, 5000));
  EXPECT_EQ(waits(kTso, events).back(), Numbers{machine::kMostBuffered});
  StoreOrder pso(kPso);
  waits(pso, events);
  EXPECT_TRUE(pso.was_full());
}

TEST(CausalOrder, FlushesOfOneBufferUnderPso) {
  const std::vector<Event> events = {event(Op::Store, 1, 100), event(Op::Store, 2, 200), event(Op::Flush, 2, 200),
                                     event(Op::Load, 3, 200), event(Op::Flush, 1, 100)};
  CausalOrder pso(kPso), tso(kTso);
  pso.append(events, 0);
  EXPECT_TRUE(pso.happens_before(1, 2));   // a store and its flush
  EXPECT_FALSE(pso.happens_before(2, 4));  // other bytes
  EXPECT_FALSE(pso.happens_before(2, 3));  // the thread sees its store before and after that
  const std::vector<Event> in_order = {events[0], events[1], events[4], events[2]};
  tso.append(in_order, 0);
  EXPECT_TRUE(tso.happens_before(2, 3));
}

TEST(CausalOrder, WhatABufferHoldsIsPending) {
  CausalOrder order(kTso);
  const std::vector<Event> events = {event(Op::Store, 1, 100), event(Op::Load, 2, 200)};
  order.append(events, 0);
  ASSERT_EQ(order.size(), 3u);
  EXPECT_TRUE(order[2].is_pending());
  EXPECT_EQ(order[2].actor(), (Actor{kBuffer, 1}));
  EXPECT_TRUE(order.waits_for(2, 0));
  EXPECT_FALSE(order.waits_for(2, 1));
}

TEST(Turn, FlushesInterruptNobody) {
  Turn turn;
  EXPECT_FALSE(turn.is_preempted(kTso, bit(1) | bit(kThread), 1));
  Event load = event(Op::Load, 1, 100), flush = event(Op::Flush, 1, 100);
  turn.note(load);
  const ThreadSet all = bit(1) | bit(kThread) | bit(kBuffer);
  EXPECT_TRUE(turn.is_preempted(kTso, all, 1));
  EXPECT_FALSE(turn.is_preempted(kTso, all, kBuffer));
  EXPECT_TRUE(turn.is_preempted(kSc, all, kBuffer));  // a thread
  flush.enabled = all;
  turn.note(flush);
  EXPECT_TRUE(turn.is_preempted(kTso, all, 1));
  EXPECT_FALSE(turn.is_preempted(kTso, all, kThread));
}

TEST(Turn, WaitingForTheBufferEndsIt) {
  Turn turn;
  Event load = event(Op::Load, 1, 100), flush = event(Op::Flush, 1, 100);
  turn.note(load);
  flush.enabled = bit(1) | bit(kBuffer);
  EXPECT_FALSE(turn.is_preempted(kTso, flush.enabled, 1));
  turn.note(flush);
  EXPECT_FALSE(turn.is_preempted(kTso, bit(1) | bit(kThread), 1));
}

}  // namespace
}  // namespace plait
