// Predicted races against all orders of tiny programs in which every read keeps its result.
#include "explore/predict.h"

#include <gtest/gtest.h>

#include "../fewer.h"
#include "replay.h"

namespace plait {
namespace {

using Sites = std::set<std::pair<u32, u32>>;

struct Access {
  u32 thread, site;
  char name;
  bool writes, is_plain;
};

/// What is about to touch memory: next words, and stores that can leave their buffers.
std::vector<Access> accesses(const TinyProgram& program, const TinyState& state) {
  std::vector<Access> all;
  for (const TinyMove& move : program.moves(state)) {
    const u32 number = move.is_flush ? state.buffers[move.thread][move.place].second : state.next[move.thread];
    const TinyWord& word = program.word(move.thread, number);
    if (word.kind <= TinyWord::Add)
      all.push_back(
          {move.thread, 100 * (move.thread + 1) + number, word.name, word.kind != TinyWord::Load, word.is_plain});
  }
  return all;
}

Sites races_in(const TinyProgram& program, const TinyState& state) {
  Sites sites;
  const std::vector<Access> now = accesses(program, state);
  for (const Access& a : now)
    for (const Access& b : now)
      if (a.thread < b.thread && a.name == b.name && (a.writes || b.writes) && (a.is_plain || b.is_plain))
        sites.insert(std::minmax(a.site, b.site));
  return sites;
}

/// Races between steps of the run, in all orders in which its reads keep their results.
Sites all_races(const TinyProgram& program, const TinyHistories& histories) {
  Sites found;
  std::set<TinyState> seen;
  std::vector<TinyState> open{program.initial()};
  const auto keeps = [&](const TinyState& state) {
    for (u32 t = 0; t < program.threads(); ++t)
      if (!std::equal(state.histories[t].begin(), state.histories[t].end(), histories[t].begin())) return false;
    return true;
  };
  while (!open.empty()) {
    const TinyState state = std::move(open.back());
    open.pop_back();
    if (!keeps(state) || !seen.insert(state).second) continue;
    found.merge(races_in(program, state));
    for (const TinyMove& move : program.moves(state)) open.push_back(program.after(state, move));
  }
  return found;
}

Sites predict(const TinyProgram& program, const std::vector<TinyMove>& run, RacePredictor& predictor) {
  auto solver = solve::make_order_solver();
  const solve::CausalModel model(program.trace(run), machine::rules_of(program.model()));
  Sites predicted;
  for (const PredictedRace& race : predictor.predict(model, *solver)) {
    EXPECT_TRUE(predicted.insert({race.site, race.other_site}).second);
    const TinyState state = replay(program, race.steps.choices);
    EXPECT_TRUE(races_in(program, state).contains({race.site, race.other_site}));
    EXPECT_EQ(race.steps.claim.kind, Claim::Race);
  }
  return predicted;
}

TinyHistories histories_of(const TinyProgram& program, const std::vector<TinyMove>& run) {
  TinyState state = program.initial();
  for (const TinyMove& move : run) state = program.after(state, move);
  return state.histories;
}

TEST(RacePredictor, FindsTheRacesOfAllOrders) {
  std::mt19937_64 random(4);
  for (const MemoryModel model : {MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso}) {
    u64 met = 0;
    for (u32 n = 0; n < fewer(60); ++n) {
      std::vector<std::string> texts = random_texts(random, 2 + n % 2, 3, true);
      if (n % 3 == 0)  // some of it under a lock
        for (std::string& text : texts) text = "lock:M x=" + std::to_string(90 + n) + "! unlock:M " + text;
      SCOPED_TRACE(texts[0] + " | " + texts[1]);
      const TinyProgram program(texts, model);
      const std::vector<TinyMove> run = program.random_run(random);
      const Sites expected = all_races(program, histories_of(program, run));
      RacePredictor predictor;
      EXPECT_EQ(predict(program, run, predictor), expected);
      met += expected.size();
    }
    EXPECT_GT(met, fewer(60));
  }
}

TEST(RacePredictor, LocksAndAtomicAccessesPrevent) {
  RacePredictor predictor;
  const TinyProgram locked({"lock:M x=1! unlock:M", "lock:M x! unlock:M"}, MemoryModel::Sc);
  EXPECT_EQ(predict(locked, {{0}, {0}, {0}, {1}, {1}, {1}}, predictor), Sites{});
  const TinyProgram atomic({"x=1", "x"}, MemoryModel::Sc);
  EXPECT_EQ(predict(atomic, {{0}, {1}}, predictor), Sites{});
  const TinyProgram other_locks({"lock:M x=1! unlock:M", "lock:N x! unlock:N"}, MemoryModel::Sc);
  EXPECT_EQ(predict(other_locks, {{0}, {0}, {0}, {1}, {1}, {1}}, predictor), (Sites{{101, 201}}));
}

TEST(RacePredictor, TellsOfARaceOnce) {
  RacePredictor predictor;
  const TinyProgram program({"x=1!", "x!"}, MemoryModel::Sc);
  EXPECT_EQ(predict(program, {{0}, {1}}, predictor), (Sites{{100, 200}}));
  EXPECT_EQ(predict(program, {{1}, {0}}, predictor), Sites{});
}

TEST(RacePredictor, AMessageOrders) {
  // Who has seen the flag does not race; had it not seen it, it might have done something else.
  RacePredictor predictor;
  const TinyProgram program({"x=1! y=1", "y skip_unless:1,1 x!"}, MemoryModel::Sc);
  EXPECT_EQ(predict(program, {{0}, {0}, {1}, {1}}, predictor), Sites{});
}

}  // namespace
}  // namespace plait
