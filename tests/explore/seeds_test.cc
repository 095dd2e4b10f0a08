// Seeds against all orders of tiny programs: each result that a read can get while the reads before it keep theirs, and
// no other; and their schedules lead there.
#include "explore/seeds.h"

#include <gtest/gtest.h>

#include "../fewer.h"
#include "replay.h"

namespace plait {
namespace {

const std::atomic<bool> kGoOn{false};

struct Read {
  u32 thread, ordinal, word;  // ordinal: among the reads of its thread
  u64 result;
};

/// The reads of a run, in its order.
std::vector<Read> reads_of(const TinyProgram& program, const std::vector<TinyMove>& run, TinyState& state) {
  std::vector<Read> reads;
  state = program.initial();
  for (const TinyMove& move : run) {
    const u32 word = state.next[move.thread];
    const size_t before = state.histories[move.thread].size();
    state = program.after(state, move);
    const std::vector<u64>& history = state.histories[move.thread];
    if (history.size() > before) reads.push_back({move.thread, static_cast<u32>(before), word, history.back()});
  }
  return reads;
}

/// (thread, word, result): results that read `i` can get while those before it keep theirs, by definition.
std::set<std::tuple<u32, u32, u64>> changes(const TinyProgram& program, const std::vector<Read>& reads, size_t i,
                                            const TinyHistories& histories) {
  const Read& changed = reads[i];
  std::set<std::tuple<u32, u32, u64>> found;
  std::set<TinyState> seen;
  std::vector<TinyState> open{program.initial()};
  const auto keeps = [&](const TinyState& state) {
    for (u32 t = 0; t < program.threads(); ++t) {
      const std::vector<u64>& now = state.histories[t];
      if (t == changed.thread && now.size() > changed.ordinal + 1) return false;
      for (u32 k = 0; k < now.size(); ++k)
        if (now[k] != histories[t][k] && !(t == changed.thread && k == changed.ordinal)) return false;
    }
    return true;
  };
  while (!open.empty()) {
    const TinyState state = std::move(open.back());
    open.pop_back();
    if (!keeps(state) || !seen.insert(state).second) continue;
    bool is_goal = state.histories[changed.thread].size() == changed.ordinal + 1;
    for (size_t j = 0; j < i; ++j) is_goal &= state.histories[reads[j].thread].size() > reads[j].ordinal;
    if (is_goal && state.histories[changed.thread].back() != changed.result)
      found.insert({changed.thread, changed.word, state.histories[changed.thread].back()});
    for (const TinyMove& move : program.moves(state)) open.push_back(program.after(state, move));
  }
  return found;
}

void compare(const TinyProgram& program, const std::vector<TinyMove>& run, solve::Solver& solver, u64& met) {
  TinyState end;
  const std::vector<Read> reads = reads_of(program, run, end);
  std::set<std::tuple<u32, u32, u64>> expected, found;
  for (size_t i = 0; i < reads.size(); ++i) expected.merge(changes(program, reads, i, end.histories));
  const auto model = std::make_shared<const solve::CausalModel>(program.trace(run), machine::rules_of(program.model()));
  for (const Seed& seed : seeds_of(model, {}, false, solver, kGoOn)) {
    // Steps of a thread: its begin, then its words.
    EXPECT_TRUE(found.insert({seed.thread - 1u, seed.index - 1, static_cast<u64>(seed.result)}).second);
    const TinyState state = replay(program, seed.steps);
    ASSERT_GE(state.next[seed.thread - 1u], seed.index);  // stores behind it may go to the buffer
    EXPECT_EQ(state.histories[seed.thread - 1u].back(), static_cast<u64>(seed.result));
    EXPECT_EQ(seed.commitments[seed.thread], seed.index + 1);
    EXPECT_FALSE(keeps(seed, *model));
  }
  EXPECT_EQ(found, expected);
  met += expected.size();
}

TEST(Seeds, AreAllResultsThatReadsCanGet) {
  std::mt19937_64 random(3);
  auto solver = solve::make_order_solver();
  for (const MemoryModel model : {MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso}) {
    u64 met = 0;
    for (u32 n = 0; n < fewer(60); ++n) {
      const std::vector<std::string> texts = random_texts(random, 2 + n % 2, 3);
      SCOPED_TRACE(texts[0] + " | " + texts[1]);
      const TinyProgram program(texts, model);
      ASSERT_NO_FATAL_FAILURE(compare(program, program.random_run(random), *solver, met));
    }
    EXPECT_GT(met, fewer(60));
  }
}

TEST(Seeds, RunsOfASeedKeepWhatItCommitsTo) {
  const TinyProgram program({"x=1 y", "y=1 x"}, MemoryModel::Sc);
  const auto model_of = [&](const std::vector<TinyMove>& run) {
    return std::make_shared<const solve::CausalModel>(program.trace(run));
  };
  const auto t1_first = model_of({{0}, {0}, {1}, {1}}), t2_first = model_of({{1}, {1}, {0}, {0}}),
             both = model_of({{0}, {1}, {0}, {1}});
  auto solver = solve::make_order_solver();
  // T1 has read 0, T2 1. First T1 can read 1; or else T2 reads 0 while T1 keeps its 0, which is impossible.
  const std::vector<Seed> seeds = seeds_of(t1_first, {}, false, *solver, kGoOn);
  ASSERT_EQ(seeds.size(), 1u);
  EXPECT_EQ(seeds[0].thread, 1);
  EXPECT_EQ(static_cast<u64>(seeds[0].result), 1u);
  EXPECT_FALSE(keeps(seeds[0], *t1_first));
  EXPECT_TRUE(keeps(seeds[0], *t2_first));
  EXPECT_TRUE(keeps(seeds[0], *both));
  // Of a run that came from a seed, what the seed commits to has no seeds.
  for (const Seed& seed : seeds_of(both, seeds[0].commitments, false, *solver, kGoOn)) EXPECT_NE(seed.thread, 1);
}

TEST(Seeds, HistoriesAreOfThreadsAndWhatTheyReceive) {
  const TinyProgram program({"x x", "x x", "x=1"}, MemoryModel::Sc);
  const auto histories = [&](const std::vector<TinyMove>& run) {
    const std::vector<u64> all = histories_of(solve::CausalModel(program.trace(run)));
    return std::set<u64>(all.begin(), all.end());
  };
  const std::set<u64> before = histories({{0}, {0}, {1}, {1}, {2}}), between = histories({{0}, {1}, {2}, {0}, {1}});
  EXPECT_EQ(before.size(), 4u);   // two of each thread
  EXPECT_EQ(between.size(), 4u);  // the first reads are the same, the second ones are not
  std::set<u64> all = before;
  all.insert(between.begin(), between.end());
  EXPECT_EQ(all.size(), 6u);
  EXPECT_EQ(before, histories({{1}, {0}, {1}, {0}, {2}}));  // the order does not matter
}

TEST(Seeds, LoopsHaveNoneAfterTheirFirstTurn) {
  const TinyProgram program({"x x x", "x=1"}, MemoryModel::Sc);
  std::vector<Event> trace = program.trace({{0}, {0}, {0}, {1}});
  for (Event& event : trace)
    if (event.op == Op::Load) event.state_low = 9, event.state_high = 8;  // always in the same state
  const auto model = std::make_shared<const solve::CausalModel>(trace);
  auto solver = solve::make_order_solver();
  EXPECT_EQ(seeds_of(model, {}, false, *solver, kGoOn).size(), 3u);
  EXPECT_EQ(seeds_of(model, {}, true, *solver, kGoOn).size(), 1u);
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(seeds_of(model, {}, false, *solver, stop).empty());
}

}  // namespace
}  // namespace plait
