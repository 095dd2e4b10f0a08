// Threads with one body: data under a lock is not interleaved, and who has which place in a state makes no difference.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/decider.h"

namespace plait {
namespace {

constexpr u64 kLock = 0x1000, kCount = 0x2000;
const std::atomic<bool> kGoOn{false};

/// Main forks threads with one routine and joins them in a row. Each adds one to a counter, under a lock.
class Workers {
 public:
  explicit Workers(unsigned threads) : threads_(threads), positions_(threads + 1) {
    for (unsigned child = 1; child <= threads_; ++child) {
      add(0, Op::Fork, child).operand = 0x40;
      add(child, Op::Begin, child);
    }
  }
  void work(unsigned thread) {
    add(thread, Op::Lock, kLock).flags = event_flag::kPoint;
    access(thread, Op::Load).value = count_;
    Event& store = access(thread, Op::Store);
    store.value = count_;
    store.operand = ++count_;
    add(thread, Op::Unlock, kLock).flags = event_flag::kPoint;
    add(thread, Op::End, 0);
  }
  std::string teach(Behaviour& knowledge) {
    for (unsigned child = 1; child <= threads_; ++child) add(0, Op::Join, child);
    add(0, Op::Exit, 0);
    return knowledge.learn(events_, "", {}, false, [](u64, u64) { return true; });
  }

 private:
  Event& add(unsigned thread, Op op, u64 location) {
    Event event{};
    event.thread = static_cast<ThreadId>(thread);
    event.op = op;
    event.location = location;
    event.position = ++positions_[thread];
    event.site = static_cast<u32>(op);
    events_.push_back(event);
    return events_.back();
  }
  Event& access(unsigned thread, Op op) {
    Event& event = add(thread, op, kCount);
    event.size = 4;
    event.flags = event_flag::kPoint;
    return event;
  }
  unsigned threads_;
  u64 count_ = 0;
  std::vector<Event> events_;
  std::vector<u32> positions_;
};

/// All orders.
Behaviour workers(unsigned threads) {
  Behaviour knowledge;
  std::vector<unsigned> order;
  for (unsigned thread = 1; thread <= threads; ++thread) order.push_back(thread);
  do {
    Workers run(threads);
    for (const unsigned thread : order) run.work(thread);
    EXPECT_EQ(run.teach(knowledge), "");
  } while (std::next_permutation(order.begin(), order.end()));
  return knowledge;
}

TEST(LikeThreads, StatesArePolynomial) {
  for (const unsigned threads : {3u, 5u}) {
    const Behaviour knowledge = workers(threads);
    Decider alike(knowledge, {.merge = false});
    ASSERT_TRUE(alike.search(kGoOn));
    EXPECT_TRUE(alike.leads().empty());
    // How many have been there; with one left nothing can come in between.
    EXPECT_EQ(alike.states(), threads) << threads;
    Decider apart(knowledge, {.merge = false, .swaps = false});
    ASSERT_TRUE(apart.search(kGoOn));
    EXPECT_TRUE(apart.leads().empty());
    EXPECT_GT(apart.states(), 1u << threads) << threads;
  }
}

TEST(LikeThreads, OneThatHasNotShownTheSameStaysApart) {
  Behaviour knowledge;
  for (const auto& order : {std::vector<unsigned>{1, 2, 3}, {2, 1, 3}}) {
    Workers run(3);
    for (const unsigned thread : order) run.work(thread);
    ASSERT_EQ(run.teach(knowledge), "");
  }
  // T1 and T2 have been first and second, T3 has not.
  for (const bool swaps : {true, false}) {
    Decider decider(knowledge, {.merge = false, .swaps = swaps});
    ASSERT_TRUE(decider.search(kGoOn));
    bool asks = false;
    for (const Lead& lead : decider.leads()) {
      StepResult last;
      const Path path = decider.path(lead, last);
      EXPECT_EQ(last.kind, StepKind::Unknown);
      asks |= path.steps.back().thread == 3 && last.missing_value == 0;
    }
    EXPECT_TRUE(asks) << swaps;
  }
}

TEST(LikeThreads, WhatOneIsToShowTheOthersAreAskedFor) {
  Behaviour knowledge;
  Workers run(3);
  for (const unsigned thread : {1, 2, 3}) run.work(thread);
  ASSERT_EQ(run.teach(knowledge), "");
  Decider decider(knowledge, {.merge = false});
  ASSERT_TRUE(decider.search(kGoOn));
  ASSERT_FALSE(decider.leads().empty());
  for (const Lead& lead : decider.leads()) {
    StepResult last;
    const Path path = decider.path(lead, last);
    ASSERT_EQ(last.kind, StepKind::Unknown);
    const ThreadId thread = path.steps.back().thread;
    const ThreadSet others = decider.others_like(thread);
    EXPECT_EQ(count(others), 2u);
    const ThreadId other = lowest(others);
    const Path twin = decider.path_of_other(path, thread, other, last);
    // As far as it goes, it is the same with the two in each other's place.
    for (size_t i = 0; i < twin.steps.size(); ++i) {
      const ThreadId is = path.steps[i].thread;
      EXPECT_EQ(twin.steps[i].thread, is == thread ? other : is == other ? thread : is);
    }
  }
}

TEST(LikeThreads, NothingComesAfterALockThatSomebodyElseHas) {
  const Behaviour knowledge = workers(2);
  const Layout layout(knowledge);
  const Futures futures(knowledge, layout, false);
  const Blockers blockers(knowledge, layout, futures);
  ASSERT_EQ(blockers.locks().size(), 1u);
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    const Node& node = knowledge.node(id);
    if (node.op != Op::Lock) continue;
    // While somebody else has it, nothing comes after it.
    const u64* row = blockers.future_up_to(blockers.of_lock(0), id);
    EXPECT_TRUE(std::all_of(row, row + blockers.words(), [](u64 word) { return word == 0; }));
    EXPECT_FALSE(
        std::all_of(blockers.future(id), blockers.future(id) + blockers.words(), [](u64 word) { return word == 0; }));
  }
}

}  // namespace
}  // namespace plait
