// Saturation against all orders of small traces: what it says holds in every one that answers the query.
#include "solve/must_orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "../fewer.h"
#include "litmus.h"
#include "random_trace.h"
#include "solve/simulation.h"

namespace plait::solve {
namespace {

/// All states that the orders of a query go through, and which of them lead to its goal.
class AllOrders {
 public:
  AllOrders(const CausalModel& model, const Query& query) : model_(model), simulation_(model, query) {
    std::vector<u8> state(simulation_.bytes());
    simulation_.initial(state.data());
    has_solution_ = leads_to_goal(state);
  }
  bool has_solution() const { return has_solution_; }

  /// The least that each sequence has performed where a solution ends.
  std::vector<u32> least() const {
    std::vector<u32> least(model_.sequences(), ~0u);
    for (const auto& [state, good] : states_)
      for (u32 s = 0; simulation_.is_goal(state.data()) && s < model_.sequences(); ++s)
        least[s] = std::min(least[s], simulation_.position(state.data(), s));
    return least;
  }
  /// Does `a` come before `b` in every solution that performs `b`?
  bool always_first(u32 a, u32 b) {
    const Step &first = model_.steps()[a], &second = model_.steps()[b];
    for (const auto& [state, good] : states_) {
      if (!good || simulation_.position(state.data(), second.sequence) != second.index) continue;
      if (simulation_.position(state.data(), first.sequence) > first.index) continue;
      for (const std::vector<u8>& next : after(state, second.sequence))
        if (states_.at(next)) return false;
    }
    return true;
  }

 private:
  std::vector<std::vector<u8>> after(const std::vector<u8>& state, u32 sequence) const {
    std::vector<std::vector<u8>> all;
    if (!simulation_.has_next(state.data(), sequence)) return all;
    const ThreadSet choices = simulation_.choices(state.data(), sequence);
    for (ThreadSet left = choices ? choices : 1; left; left &= left - 1) {
      std::vector<u8> next = state;
      if (simulation_.try_step(next.data(), sequence, choices ? lowest(left) : u16{0})) all.push_back(std::move(next));
    }
    return all;
  }
  bool leads_to_goal(const std::vector<u8>& state) {
    const auto [at, fresh] = states_.try_emplace(state, false);
    if (!fresh) return at->second;
    bool good = simulation_.is_goal(state.data());
    for (u32 s = 0; s < model_.sequences(); ++s)
      for (const std::vector<u8>& next : after(state, s)) good |= leads_to_goal(next);
    return at->second = good;
  }

  const CausalModel& model_;
  const Simulation simulation_;
  std::map<std::vector<u8>, bool> states_;  // every state has more steps behind it than the one before: no cycles
  bool has_solution_ = false;
};

struct Found {
  u64 refuted = 0, contradicted = 0, orders = 0, lengths = 0, solvable = 0;
};

void compare(const CausalModel& model, const Query& query, Found& found) {
  AllOrders all(model, query);
  MustOrders must;
  if (!must.saturate(model, query)) {
    ++found.refuted;
    ASSERT_FALSE(all.has_solution());
    return;
  }
  if (!all.has_solution()) {
    ++found.contradicted;  // saturation need not see that
    return;
  }
  ++found.solvable;
  const std::vector<u32> least = all.least();
  for (u32 s = 0; s < model.sequences(); ++s) {
    ASSERT_GE(must.required()[s], query.required[s]);
    ASSERT_LE(must.required()[s], least[s]) << "sequence " << s;
    found.lengths += must.required()[s] > query.required[s];
  }
  for (u32 b = 0; b < model.steps().size(); ++b)
    for (const u32 a : must.first(b)) {
      ASSERT_TRUE(all.always_first(a, b)) << a << " before " << b;
      ++found.orders;
    }
}

void compare_random(MemoryModel memory_model, Found& found) {
  std::mt19937_64 random(static_cast<u64>(memory_model) + 11);
  for (u32 n = 0; n < fewer(150); ++n) {
    const CausalModel model(
        random_trace(random,
                     {.threads = 2, .steps = 4, .variables = 2, .sync = n % 3 == 0, .memory_model = memory_model}),
        machine::rules_of(memory_model));
    for (u32 read = 0; read < model.steps().size(); ++read) {
      if (!model.steps()[read].is_read) continue;
      for (const u128 result : model.other_results(read)) {
        std::vector<u32> required(model.threads(), 0);
        for (u32 t = 0; t < model.threads(); ++t)
          if (random() % 2) required[t] = static_cast<u32>(random() % (model.length(t) + 1));
        compare(model, changed_read(model, read, result, required), found);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(MustOrders, HoldInEverySolution) {
  for (const MemoryModel memory_model : {MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso}) {
    Found found;
    ASSERT_NO_FATAL_FAILURE(compare_random(memory_model, found));
    // The comparison has met all that it is about, and most queries without a solution are seen at once.
    EXPECT_GT(found.solvable, fewer(50));
    EXPECT_GT(found.orders, fewer(20));
    EXPECT_GT(found.lengths, fewer(50));
    EXPECT_GT(found.refuted, found.contradicted);
  }
}

TEST(MustOrders, MessagePassing) {
  Litmus trace;
  trace.store(1, Litmus::kX, 1, Order::SeqCst);
  const u32 flag = trace.store(1, Litmus::kY, 1, Order::SeqCst);
  const u32 sees_flag = trace.load(2, Litmus::kY, 1);
  const u32 data = trace.load(2, Litmus::kX, 1);
  const CausalModel model(trace.events());
  MustOrders must;
  // Whoever sees the flag sees the data.
  EXPECT_FALSE(must.saturate(model, changed_read(model, data, 0, {0, 0, model.steps()[sees_flag].index + 1})));
  // To see the flag is to require the store of it.
  Query query = everything(model);
  query.required[2] = model.steps()[sees_flag].index + 1;
  ASSERT_TRUE(must.saturate(model, query));
  EXPECT_EQ(must.required()[1], model.steps()[flag].index + 1);
  EXPECT_EQ(must.required()[0], 2u);  // both forks
}

TEST(MustOrders, StoreBuffering) {
  Litmus trace;
  const u32 stores_x = trace.store(1, Litmus::kX, 1, Order::SeqCst);
  const u32 reads_y = trace.load(1, Litmus::kY, 0);
  const u32 stores_y = trace.store(2, Litmus::kY, 1, Order::SeqCst);
  const u32 reads_x = trace.load(2, Litmus::kX, 1);
  const CausalModel model(trace.events());
  MustOrders must;
  // T2 reads 0 from x: before x is stored.
  ASSERT_TRUE(must.saturate(model, changed_read(model, reads_x, 0, {})));
  EXPECT_EQ(must.first(stores_x), std::vector<u32>{reads_x});
  EXPECT_TRUE(must.first(stores_y).empty());
  // And T1 has read 0 from y: a cycle.
  EXPECT_FALSE(must.saturate(model, changed_read(model, reads_x, 0, {0, model.steps()[reads_y].index + 1})));
}

}  // namespace
}  // namespace plait::solve
