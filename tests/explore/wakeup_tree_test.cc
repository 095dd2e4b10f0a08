// Wakeup trees: by hand, and against all orders of small sets of accesses.
#include "explore/wakeup_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "../fewer.h"

namespace plait {
namespace {

using Sequence = std::vector<const TraceItem*>;

/// Thread t performs its accesses one after the other: "Wx" writes x, "Rx" reads it.
using Threads = std::vector<std::vector<std::string>>;
/// Who steps.
using Steps = std::vector<u32>;

/// The items of an order, as a run would show them.
class Items {
 public:
  Items(const Threads& threads, const Steps& order) : causal_(machine::rules_of(MemoryModel::Sc)) {
    std::vector<u32> next(threads.size(), 0);
    std::vector<Event> events;
    for (const u32 t : order) {
      const std::string& access = threads[t][next[t]++];
      Event event{};
      event.thread = static_cast<ThreadId>(t);
      event.op = access[0] == 'W' ? Op::Store : Op::Load;
      event.order = Order::SeqCst;
      event.location = 0x1000 + 8u * static_cast<u64>(access[1] - 'a');
      event.size = 8;
      event.position = next[t];
      event.flags = event_flag::kPoint;
      events.push_back(event);
    }
    causal_.append(events, 0);
  }
  Sequence sequence() const {
    Sequence all;
    for (size_t i = 0; i < causal_.size(); ++i) all.push_back(&causal_[i]);
    return all;
  }

 private:
  CausalOrder causal_;
};

/// The class of a whole order: which of two conflicting accesses comes first. By definition, not by clocks.
std::string class_of(const Threads& threads, const Steps& order) {
  std::vector<u32> next(threads.size(), 0);
  std::vector<std::pair<u32, u32>> steps;
  for (const u32 t : order) steps.emplace_back(t, next[t]++);
  std::set<std::string> pairs;
  for (size_t i = 0; i < steps.size(); ++i)
    for (size_t k = i + 1; k < steps.size(); ++k) {
      const std::string &a = threads[steps[i].first][steps[i].second], &b = threads[steps[k].first][steps[k].second];
      if (a[1] != b[1] || (a[0] == 'R' && b[0] == 'R')) continue;
      pairs.insert(std::to_string(steps[i].first) + "." + std::to_string(steps[i].second) + "<" +
                   std::to_string(steps[k].first) + "." + std::to_string(steps[k].second) + " ");
    }
  std::string text;
  for (const std::string& pair : pairs) text += pair;
  return text;
}

void for_each_order(const Threads& threads, Steps begin, const std::function<void(const Steps&)>& f) {
  std::vector<u32> done(threads.size(), 0);
  for (const u32 t : begin) ++done[t];
  bool whole = true;
  for (u32 t = 0; t < threads.size(); ++t) {
    if (done[t] == threads[t].size()) continue;
    whole = false;
    begin.push_back(t);
    for_each_order(threads, begin, f);
    begin.pop_back();
  }
  if (whole) f(begin);
}

/// The classes of all that can begin like this.
std::set<std::string> classes(const Threads& threads, const Steps& begin) {
  std::set<std::string> all;
  for_each_order(threads, begin, [&](const Steps& order) { all.insert(class_of(threads, order)); });
  return all;
}

std::vector<Steps> leaves(const WakeupNodes& nodes, const Steps& above = {}) {
  std::vector<Steps> all;
  for (const WakeupNode& node : nodes) {
    Steps path = above;
    path.push_back(node.step.thread);
    if (node.children.empty()) all.push_back(path);
    for (Steps& leaf : leaves(node.children, path)) all.push_back(std::move(leaf));
  }
  return all;
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  for (const std::string& one : a)
    if (b.contains(one)) return true;
  return false;
}

TEST(WakeupTree, ASequenceBecomesABranch) {
  const Threads threads = {{"Wx", "Wy"}, {"Rx"}};
  const Items first(threads, {0, 0, 1}), second(threads, {1, 0});
  WakeupNodes tree;
  insert(tree, first.sequence());
  EXPECT_EQ(leaves(tree), (std::vector<Steps>{{0, 0, 1}}));
  EXPECT_EQ(tree[0].step.position, 1u);
  EXPECT_EQ(tree[0].children[0].step.position, 2u);
  insert(tree, second.sequence());  // the read before the write: another class
  EXPECT_EQ(leaves(tree), (std::vector<Steps>{{0, 0, 1}, {1, 0}}));
}

TEST(WakeupTree, EquivalentSequencesAreThereAlready) {
  const Threads threads = {{"Wx"}, {"Wy"}};
  const Items one(threads, {0, 1}), other(threads, {1, 0}), part(threads, {1});
  WakeupNodes tree;
  insert(tree, one.sequence());
  insert(tree, other.sequence());
  insert(tree, part.sequence());
  EXPECT_EQ(leaves(tree), (std::vector<Steps>{{0, 1}}));
}

TEST(WakeupTree, BehindALeafEverythingIsExplored) {
  const Threads threads = {{"Wx", "Wx"}, {"Rx"}};
  const Items leaf(threads, {0}), more(threads, {0, 1, 0});
  WakeupNodes tree;
  insert(tree, leaf.sequence());
  insert(tree, more.sequence());
  EXPECT_EQ(leaves(tree), (std::vector<Steps>{{0}}));
}

TEST(WakeupTree, AnUnknownStepIsTakenOverByASequence) {
  const Threads threads = {{"Wx"}, {"Rx"}};
  const Items order(threads, {1, 0});
  WakeupNodes tree{unknown_step(1)};
  EXPECT_FALSE(tree[0].known);
  EXPECT_EQ(tree[0].step.position, kNextPoint);
  insert(tree, order.sequence());
  EXPECT_EQ(leaves(tree), (std::vector<Steps>{{1, 0}}));
  EXPECT_TRUE(tree[0].known);
}

TEST(WakeupTree, StartsWithWeakInitials) {
  const Threads threads = {{"Wx"}, {"Rx"}, {"Wy"}};
  const Items order(threads, {0, 1}), apart(threads, {2});
  const auto sleeper = [](const TraceItem& item) { return Sleeper{item.actor(), item.operation}; };
  const Sequence both = order.sequence();
  EXPECT_TRUE(starts_with(sleeper(*both[0]), both));
  EXPECT_FALSE(starts_with(sleeper(*both[1]), both));             // the write comes before it
  EXPECT_TRUE(starts_with(sleeper(*apart.sequence()[0]), both));  // not in it, but independent of all of it
}

/// Inserted orders are covered, no two leaves have a class in common, and leaves stay leaves.
TEST(WakeupTree, LeavesCoverWhatIsInsertedOnceEach) {
  std::mt19937_64 random(1);
  u64 grew = 0, was_there = 0;
  for (u32 n = 0; n < fewer(200); ++n) {
    Threads threads(2 + n % 2);
    for (auto& thread : threads)
      for (u32 k = 0; k < 2; ++k) thread.push_back(std::string(random() % 2 ? "W" : "R") + (random() % 2 ? "a" : "b"));
    WakeupNodes tree;
    std::vector<std::unique_ptr<Items>> kept;
    for (u32 k = 0; k < 12; ++k) {
      Steps order;
      for (u32 t = 0; t < threads.size(); ++t) order.insert(order.end(), threads[t].size(), t);
      std::shuffle(order.begin(), order.end(), random);
      order.resize(1 + random() % order.size());
      kept.push_back(std::make_unique<Items>(threads, order));
      const std::vector<Steps> before = leaves(tree);
      insert(tree, kept.back()->sequence());
      const std::vector<Steps> now = leaves(tree);
      ASSERT_LE(now.size(), before.size() + 1);
      (now.size() > before.size() ? grew : was_there) += 1;
      for (const Steps& leaf : before) ASSERT_NE(std::find(now.begin(), now.end(), leaf), now.end());
      const std::set<std::string> wanted = classes(threads, order);
      bool is_covered = false;
      for (const Steps& leaf : now) is_covered |= meet(classes(threads, leaf), wanted);
      ASSERT_TRUE(is_covered);
      for (size_t i = 0; i < now.size(); ++i)
        for (size_t j = i + 1; j < now.size(); ++j)
          ASSERT_FALSE(meet(classes(threads, now[i]), classes(threads, now[j])));
    }
  }
  EXPECT_GT(grew, fewer(300));
  EXPECT_GT(was_there, fewer(300));
}

/// Weak initials by definition: some order begins with the actor's step and has a class of the sequence.
TEST(WakeupTree, SleepersAgainstAllOrders) {
  std::mt19937_64 random(2);
  u64 yes = 0, no = 0;
  for (u32 n = 0; n < fewer(400); ++n) {
    Threads threads(3);
    for (auto& thread : threads)
      for (u32 k = 0; k < 2; ++k) thread.push_back(std::string(random() % 2 ? "W" : "R") + (random() % 2 ? "a" : "b"));
    Steps order{0, 0, 1, 1, 2, 2};
    std::shuffle(order.begin(), order.end(), random);
    order.resize(1 + random() % order.size());
    const Items items(threads, order);
    const std::set<std::string> wanted = classes(threads, order);
    for (u32 t = 0; t < threads.size(); ++t) {
      const Items first(threads, {t});
      const TraceItem& item = *first.sequence()[0];
      const bool is_initial = starts_with({item.actor(), item.operation}, items.sequence());
      ASSERT_EQ(is_initial, meet(classes(threads, {t}), wanted));
      (is_initial ? yes : no) += 1;
    }
  }
  EXPECT_GT(yes, fewer(100));
  EXPECT_GT(no, fewer(100));
}

}  // namespace
}  // namespace plait
