// Explorations in parts (explore/parts.h): the same answers as in one piece, whoever explores a part, in whatever order
// parts are done, and however little of each: here a single run.
#include "explore/parts.h"

#include <gtest/gtest.h>

#include <random>

#include "../fewer.h"
#include "ask.h"

namespace plait {
namespace {

using machine::MemoryRules;

constexpr MemoryRules kSc = machine::rules_of(MemoryModel::Sc), kTso = machine::rules_of(MemoryModel::Tso),
                      kPso = machine::rules_of(MemoryModel::Pso);

/// One of those who explore parts, elsewhere.
struct Elsewhere {
  Elsewhere(const std::vector<std::string>& threads, const ExploreOptions& options, Collector& sink)
      : runners(threads, options.memory), exploration{runners, options, control, sink} {}
  ScriptedRunners runners;
  Control control{{}};
  Exploration exploration;
};

struct InParts {
  Answer answer;
  u32 parts = 0;
};

InParts ask_in_parts(const char* name, const std::vector<std::string>& threads, ExploreOptions options,
                     std::mt19937_64& random) {
  const ExplorerInfo& explorer = explorer_named(name);
  options.merge = false;
  options.keep_going = true;
  Collector sink;
  Elsewhere here(threads, options, sink);
  Counters& counters = here.control.counters;
  const std::unique_ptr<PartPlan> plan = explorer.plan(here.exploration);
  std::vector<std::string> under_way;
  u32 parts = 0;
  for (;;) {
    while (under_way.size() < 3) {
      std::optional<std::string> part = plan->take();
      if (!part) break;
      under_way.push_back(std::move(*part));
    }
    if (under_way.empty()) break;
    const size_t which = random() % under_way.size();
    const std::string part = std::exchange(under_way[which], std::move(under_way.back()));
    under_way.pop_back();
    Elsewhere elsewhere(threads, options, sink);
    std::string outcome;
    const Attempt attempt =
        explorer.explore_part(elsewhere.exploration, part, PartBudget{.runs = ~u64{0}, .seconds = 0}, outcome);
    EXPECT_EQ(attempt, Attempt::Complete);
    counters.executions += elsewhere.control.counters.executions;
    counters.interleavings += elsewhere.control.counters.interleavings;
    plan->done(outcome);
    ++parts;
  }
  const bool complete = plan->finish() == Attempt::Complete;
  return {{complete, counters.executions, counters.interleavings, counters.classes, sink.failures, sink.problem},
          parts};
}

std::string random_thread(std::mt19937_64& random) {
  static const char* const kWords[] = {"x", "y", "x", "y", "x=1", "y=1", "x=2", "x+=1", "fence", "y=2r"};
  std::string text;
  const bool locks = random() % 4 == 0;
  if (locks) text += "lock:M ";
  for (u64 left = 1 + random() % 3; left > 0; --left) text += std::string(kWords[random() % std::size(kWords)]) + " ";
  if (locks) text += "unlock:M ";
  if (random() % 6 == 0) text += "fail_if:1 ";
  text.pop_back();
  return text;
}

void compare(const char* explorer, const std::vector<std::string>& threads, const MemoryRules& memory,
             std::mt19937_64& random) {
  ExploreOptions options;
  options.memory = memory;
  options.keep_going = true;
  options.classes = explorer_named(explorer).counts_classes;
  std::string text(explorer);
  for (const std::string& thread : threads) text += " | " + thread;
  SCOPED_TRACE(text);
  const Answer whole = ask(explorer, threads, options);
  const auto [parts, tasks] = ask_in_parts(explorer, threads, options, random);
  EXPECT_EQ(parts.complete, whole.complete);
  EXPECT_EQ(parts.failures, whole.failures);
  EXPECT_EQ(parts.problem, whole.problem);
  // A run that fails hides what would have come next: which other runs show it depends on their order.
  if (!whole.failures.empty()) return;
  EXPECT_EQ(parts.classes, whole.classes);
  if (explorer_named(explorer).counts_interleavings) {
    EXPECT_EQ(parts.interleavings, whole.interleavings);
  }
}

class Parts : public testing::TestWithParam<const char*> {};

TEST_P(Parts, HaveTheAnswersOfTheWhole) {
  std::mt19937_64 random(7);
  for (u32 n = 0; n < fewer(100); ++n) {
    std::vector<std::string> threads;
    for (u64 left = 2 + random() % 2; left > 0; --left) threads.push_back(random_thread(random));
    for (const MemoryRules& memory : {kSc, kTso, kPso}) compare(GetParam(), threads, memory, random);
    if (HasFailure()) return;
  }
}

TEST_P(Parts, ThatAreDamagedAreRefused) {
  ExploreOptions options;
  options.memory = kSc;
  Collector sink;
  options.merge = false;
  Elsewhere here({"x=1 y", "y=1 x y"}, options, sink);
  const ExplorerInfo& explorer = explorer_named(GetParam());
  const std::unique_ptr<PartPlan> plan = explorer.plan(here.exploration);
  std::optional<std::string> part = plan->take();
  ASSERT_TRUE(part);
  std::string outcome;
  ASSERT_EQ(explorer.explore_part(here.exploration, *part, PartBudget{.runs = ~u64{0}, .seconds = 0}, outcome),
            Attempt::Complete);
  ASSERT_GT(outcome.size(), 3u);
  EXPECT_THROW(plan->done(outcome.substr(0, outcome.size() - 3)), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Explorers, Parts, testing::Values("exhaustive", "icb", "mcr", "dpor"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace plait
