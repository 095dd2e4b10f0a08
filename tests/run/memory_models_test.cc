// Memory models as values: those that exist, and toys that exist only here. Explorers, knowledge, solver and runner are
// handed the rules and follow them; nothing else has to know of a model.
#include <gtest/gtest.h>

#include "ask.h"

namespace plait {
namespace {

using machine::MemoryRules;

constexpr MemoryRules kSc = machine::rules_of(MemoryModel::Sc), kTso = machine::rules_of(MemoryModel::Tso),
                      kPso = machine::rules_of(MemoryModel::Pso);
/// TSO with room for one store.
constexpr MemoryRules kOneStore{.name = MemoryModel::Tso, .buffers = true, .room = 1};
/// PSO whose stores no release keeps apart.
constexpr MemoryRules kLoose{.name = MemoryModel::Pso, .buffers = true, .in_order = false};

/// The number of ways in which the threads can read: the same for all explorers that count them.
u64 classes(const MemoryRules& memory, const std::vector<std::string>& program) {
  ExploreOptions options;
  options.memory = memory;
  options.classes = true;
  const Answer first = ask("cumulative", program, options);
  EXPECT_TRUE(first.complete);
  EXPECT_EQ(first.problem, "");
  for (const char* explorer : {"mcr", "dpor"})
    EXPECT_EQ(ask(explorer, program, options).classes, first.classes) << explorer << " on " << program[0];
  return first.classes;
}

TEST(MemoryRules, StoreBuffering) {
  const std::vector<std::string> direct = {"x=1 y", "y=1 x"}, behind = {"x=1 z=1 y", "y=1 w=1 x"};
  EXPECT_EQ(classes(kSc, direct), 3u);
  for (const MemoryRules& memory : {kTso, kPso, kOneStore, kLoose}) EXPECT_EQ(classes(memory, direct), 4u);
  // With room for one store, the second can wait only when the first has left.
  EXPECT_EQ(classes(kSc, behind), 3u);
  EXPECT_EQ(classes(kTso, behind), 4u);
  EXPECT_EQ(classes(kOneStore, behind), 3u);
  EXPECT_EQ(classes(kLoose, behind), 4u);
  for (const MemoryRules& memory : {kTso, kPso, kOneStore, kLoose})
    EXPECT_EQ(classes(memory, {"x=1 fence y", "y=1 fence x"}), 3u);
}

TEST(MemoryRules, MessagePassing) {
  const std::vector<std::string> plain = {"x=1 y=1", "y x"}, release = {"x=1 y=1r", "y x"},
                                 fenced = {"x=1 fence:r y=1", "y x"};
  for (const MemoryRules& memory : {kSc, kTso, kOneStore}) EXPECT_EQ(classes(memory, plain), 3u);
  for (const MemoryRules& memory : {kPso, kLoose}) EXPECT_EQ(classes(memory, plain), 4u);
  for (const auto& program : {release, fenced}) {
    EXPECT_EQ(classes(kPso, program), 3u);
    EXPECT_EQ(classes(kLoose, program), 4u);
  }
}

TEST(MemoryRules, OwnStoresAreSeen) {
  for (const MemoryRules& memory : {kSc, kTso, kPso, kOneStore, kLoose})
    EXPECT_EQ(classes(memory, {"x=1 x=2 x", "y=1"}), 1u);
}

TEST(MemoryRules, AllExplorersAgree) {
  const std::vector<std::vector<std::string>> programs = {
      {"x=1 y skip_unless:0,1 z=1", "y=1 x skip_unless:0,2 z fail_if:1"},
      {"x=1 y=1", "y skip_unless:1,2 x fail_if:0"},
      {"x=1 y=1r z=1", "z skip_unless:1,2 x fail_if:0"},
      {"x=1 y=1 z=1", "z skip_unless:1,2 y fail_if:0"},
      {"x=1! y skip_unless:0,1 z=1", "y=1 fence x skip_unless:0,2 z fail_if:1"},
      {"lock:M x=1 unlock:M", "lock:M x=2 y=1 unlock:M", "y skip_unless:1,2 x fail_if:0"},
      {"x=1 x+=1 fail_if:2", "x=3 y", "y=1"},
  };
  std::vector<u32> failing_programs;
  for (const MemoryRules& memory : {kSc, kOneStore, kTso, kPso, kLoose}) {
    u32& failing = failing_programs.emplace_back();
    for (const std::vector<std::string>& program : programs) {
      ExploreOptions options;
      options.memory = memory;
      const Answer all = ask("exhaustive", program, options);
      EXPECT_TRUE(all.complete);
      failing += !all.failures.empty();
      for (const ExplorerInfo& explorer : explorers()) {
        if (explorer.samples) continue;
        const Answer answer = ask(explorer.name.data(), program, options);
        EXPECT_TRUE(answer.complete) << explorer.name << " on " << program[0] << " / " << program[1];
        EXPECT_EQ(answer.problem, "") << explorer.name << " on " << program[0] << " / " << program[1];
        EXPECT_EQ(answer.failures, all.failures) << explorer.name << " on " << program[0] << " / " << program[1];
      }
    }
  }
  EXPECT_EQ(failing_programs, (std::vector<u32>{0, 1, 1, 4, 5}));  // each allows more than the one before
}

}  // namespace
}  // namespace plait
