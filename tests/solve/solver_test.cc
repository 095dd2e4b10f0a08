// Our solver against Z3: the same answer to PLAIT_QUERIES (default 1000) random queries for each memory model, from
// seed PLAIT_QUERY_SEED (default 1), and every order found is performed on the machine.
#include "solve/solver.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "../fewer.h"
#include "random_trace.h"
#include "solve/simulation.h"

namespace plait::solve {
namespace {

using Verdict = Answer::Verdict;

u64 number_from(const char* variable, u64 otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

bool performs(const CausalModel& model, const Query& query, const Answer& answer) {
  const Simulation simulation(model, query);
  std::vector<u8> state(simulation.bytes());
  simulation.initial(state.data());
  for (const Answer::Move& move : answer.order) {
    const Step& step = model.steps()[move.step];
    if (simulation.position(state.data(), step.sequence) != step.index) return false;
    if (!simulation.try_step(state.data(), step.sequence, move.arg)) return false;
  }
  return simulation.is_goal(state.data());
}

std::string text(const std::vector<Event>& trace) {
  std::string result;
  for (const Event& event : trace)
    result += "T" + std::to_string(event.thread) + " op " + std::to_string(static_cast<int>(event.op)) + " at " +
              std::to_string(event.location) + "+" + std::to_string(event.size) + " value " +
              std::to_string(event.value) + " operand " + std::to_string(event.operand) + "\n";
  return result;
}

/// A read of the trace with another result, or two steps side by side; others are required to get somewhere.
std::vector<Query> queries(std::mt19937_64& random, const CausalModel& model) {
  std::vector<Query> all;
  for (u32 i = 0; i < model.steps().size(); ++i) {
    if (!model.steps()[i].is_read) continue;
    for (const u128 result : model.other_results(i)) {
      std::vector<u32> required(model.threads(), 0);
      for (u32 t = 0; t < model.threads(); ++t)
        if (random() % 2) required[t] = static_cast<u32>(random() % (model.length(t) + 1));
      all.push_back(changed_read(model, i, result, required));
    }
  }
  for (unsigned n = 0; n < 3; ++n) {
    const u32 a = static_cast<u32>(random() % model.steps().size()),
              b = static_cast<u32>(random() % model.steps().size());
    auto is_access = [&](u32 number) { return !model.steps()[number].is_buffered; };
    if (model.steps()[a].thread != model.steps()[b].thread && is_access(a) && is_access(b))
      all.push_back(adjacent(model, a, b));
  }
  return all;
}

void expect_agreement(MemoryModel memory_model) {
  const u64 wanted = number_from("PLAIT_QUERIES", fewer(1000));
  std::mt19937_64 random(number_from("PLAIT_QUERY_SEED", 1));
  auto own = make_order_solver(), z3 = make_z3_solver();
  u64 asked = 0, sat = 0;
  while (asked < wanted) {
    TraceShape shape;
    shape.threads = 1 + static_cast<unsigned>(random() % 3);
    shape.steps = 2 + static_cast<unsigned>(random() % 6);
    shape.variables = 1 + static_cast<unsigned>(random() % 3);
    shape.sync = random() % 2;
    shape.mixed_sizes = random() % 8 == 0;
    shape.memory_model = memory_model;
    const std::vector<Event> trace = random_trace(random, shape);
    const CausalModel model(trace, machine::rules_of(memory_model));
    ASSERT_EQ(own->solve(model, everything(model)).verdict, Verdict::Sat);
    for (const Query& query : queries(random, model)) {
      const Answer a = own->solve(model, query), b = z3->solve(model, query);
      ++asked;
      sat += a.verdict == Verdict::Sat;
      ASSERT_NE(a.verdict, Verdict::Unknown);
      ASSERT_EQ(a.verdict, b.verdict) << "read " << query.changed << " to be " << static_cast<u64>(query.result)
                                      << " in\n"
                                      << text(trace);
      for (Answer answer : {a, b}) {
        if (answer.verdict != Verdict::Sat) continue;
        ASSERT_TRUE(performs(model, query, answer)) << text(trace);
        const size_t before = answer.order.size();
        shorten(model, query, answer);
        ASSERT_TRUE(performs(model, query, answer)) << text(trace);
        ASSERT_LE(answer.order.size(), before);
      }
    }
  }
  std::cout << asked << " queries, " << sat << " satisfiable\n";
  EXPECT_GT(sat, asked / 20);
  EXPECT_LT(sat, asked);
}

TEST(Solvers, Agree) { expect_agreement(MemoryModel::Sc); }
TEST(Solvers, AgreeUnderTso) { expect_agreement(MemoryModel::Tso); }
TEST(Solvers, AgreeUnderPso) { expect_agreement(MemoryModel::Pso); }

TEST(Solvers, IncrementalAndFreshZ3Agree) {
  std::mt19937_64 random(7);
  auto incremental = make_z3_solver(), fresh = make_z3_solver({}, false);
  for (unsigned n = 0; n < (kFewer == 1 ? 20 : 3); ++n) {
    const CausalModel model(random_trace(random, {.threads = 2, .steps = 5}));
    for (const Query& query : queries(random, model))
      ASSERT_EQ(incremental->solve(model, query).verdict, fresh->solve(model, query).verdict);
  }
}

TEST(Solvers, NoTimeIsNoAnswer) {
  std::mt19937_64 random(3);
  const CausalModel model(random_trace(random, {.threads = 2, .steps = 5}));
  auto z3 = make_z3_solver({.end = std::chrono::steady_clock::now()});
  for (const Query& query : queries(random, model)) EXPECT_EQ(z3->solve(model, query).verdict, Verdict::Unknown);
}

TEST(Solvers, SmtLibSaysWhatTheQuerySays) {
  std::mt19937_64 random(5);
  auto own = make_order_solver();
  for (unsigned n = 0; n < (kFewer == 1 ? 10 : 2); ++n) {
    const CausalModel model(random_trace(random, {.threads = 2, .steps = 4}));
    for (const Query& query : queries(random, model)) {
      const std::string dumped = smt_lib(model, query);
      EXPECT_EQ(dumped.find("(set-logic QF_IDL)"), 0u);
      const bool sat = own->solve(model, query).verdict == Verdict::Sat;
      EXPECT_NE(dumped.find(sat ? ":status sat" : ":status unsat"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace plait::solve
