// The other explorers against the enumerator: PLAIT_EXPLORER_SWEEP (default 100) random programs from seed
// PLAIT_SWEEP_SEED (default 1), and the kept regressions, under all memory models that they know.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "enumerator.h"
#include "explorer_answers.h"
#include "generator.h"
#include "shrink.h"
#include "weak_memory_explorers.h"

namespace sweep {
namespace {

namespace fs = std::filesystem;
using Options = std::vector<std::string>;

constexpr std::uint64_t kLimit = 2000;  // interleavings per program

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Explorers : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "plait-explorers-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  Answer answer(const Program& program, MemoryModel model, Options options) {
    options.insert(options.end(), {"--memory-model", name_of(model)});
    return answer_of(SWEEP_PLAIT, SWEEP_INTERPRETER, directory_, program, options);
  }

  /// Empty when a complete explorer says what the enumerator says.
  std::string complete_difference(const Program& program, MemoryModel model, const Options& options) {
    const Enumeration truth = enumerate(program, kLimit, model);
    const Answer got = answer(program, model, options);
    std::ostringstream text;
    text << got.problem;
    if (!got.complete) text << " not complete;";
    if (got.deadlock != (truth.deadlocks > 0))
      text << " deadlock: expected " << (truth.deadlocks > 0) << ", got " << got.deadlock << ";";
    if (got.exit_code != (truth.deadlocks ? 10 : 0)) text << " exit code " << got.exit_code << ";";
    if (got.outcomes != truth.outcomes)
      text << " outcomes: expected " << truth.outcomes.size() << ", got " << got.outcomes.size() << ";";
    const std::uint64_t all = truth.interleavings + truth.deadlocks;
    if (options[1] == "icb" && got.interleavings != all)
      text << " interleavings: expected " << all << ", got " << got.interleavings << ";";
    if (options[1] == "dpor" && got.interleavings > all)
      text << " interleavings: " << got.interleavings << " of " << all << ";";
    executions_ += got.executions;
    blocked_ += got.blocked;
    queries_ += got.queries;
    return text.str();
  }

  /// Empty when reduction within a bound finds what enumeration within it finds.
  std::string bounded_difference(const Program& program, MemoryModel model, const std::string& bound) {
    const Answer all = answer(program, model, {"--explore", "icb", "--preemption-bound", bound});
    const Answer reduced = answer(program, model, {"--explore", "dpor", "--preemption-bound", bound});
    std::ostringstream text;
    text << all.problem << reduced.problem;
    if (all.deadlock != reduced.deadlock)
      text << " deadlock: icb " << all.deadlock << ", dpor " << reduced.deadlock << ";";
    if (all.outcomes != reduced.outcomes)
      text << " outcomes: icb " << all.outcomes.size() << ", dpor " << reduced.outcomes.size() << ";";
    if (all.executions > 3 && reduced.executions > all.executions + 40)
      text << " runs: icb " << all.executions << ", dpor " << reduced.executions << ";";
    return text.str();
  }

  template <class Difference>
  void expect_none(std::uint64_t seed, const Program& program, MemoryModel model, const std::string& what,
                   Difference difference) {
    const std::string text = difference(program);
    if (text.empty()) return;
    ++failures_;
    const Program small = shrink(program, [&](const Program& candidate) {
      const Enumeration truth = enumerate(candidate, kLimit, model);
      return !truth.exceeded && !truth.misuse && !difference(candidate).empty();
    });
    ADD_FAILURE() << what << ", " << name_of(model) << ", seed " << seed << ": " << text
                  << "\nshrunk: " << to_text(small) << "\n"
                  << difference(small);
  }

  void check(std::uint64_t seed, const Program& program) {
    for (const MemoryModel model : kMemoryModels)
      for (const Options& options : complete_) {
        if (!is_compared(options[1], model)) continue;
        std::string name = options[1];
        for (size_t i = 2; i < options.size(); ++i) name += " " + options[i];
        expect_none(seed, program, model, name,
                    [&](const Program& p) { return complete_difference(p, model, options); });
      }
  }

  void check_bounded(std::uint64_t seed, const Program& program, const std::string& bound) {
    for (const MemoryModel model : kMemoryModels)
      if (is_compared("dpor", model) && is_compared("icb", model))
        expect_none(seed, program, model, "preemption bound",
                    [&](const Program& p) { return bounded_difference(p, model, bound); });
  }

  std::string directory_;
  std::vector<Options> complete_;
  std::uint64_t executions_ = 0, blocked_ = 0, queries_ = 0;
  int failures_ = 0;
};

std::vector<std::pair<std::string, Program>> regressions() {
  std::vector<std::pair<std::string, Program>> programs;
  for (const fs::directory_entry& entry : fs::directory_iterator(SWEEP_REGRESSIONS)) {
    if (entry.path().extension() != ".txt") continue;
    std::ifstream in(entry.path());
    std::string text;
    for (std::string line; std::getline(in, line);)
      if (!line.empty() && line[0] != '#') text += line + " ";
    programs.emplace_back(entry.path().filename().string(), from_text(text));
  }
  return programs;
}

TEST_F(Explorers, Baselines) {
  complete_ = {{"--explore", "dpor"}, {"--explore", "icb"}};
  std::uint64_t seed = 0;
  for (const auto& [name, program] : regressions()) {
    check(++seed, program);
    check_bounded(seed, program, "0");
  }
  const std::uint64_t programs = number_from("PLAIT_EXPLORER_SWEEP", 100), first = number_from("PLAIT_SWEEP_SEED", 1);
  for (seed = first; seed < first + programs && failures_ < 3; ++seed) {
    const Program program = generate(seed, kLimit);
    check(seed, program);
    if (seed % 4 == 0) check_bounded(seed, program, std::to_string(seed / 4 % 3));
  }
  std::cout << programs << " programs, " << executions_ << " runs, " << blocked_ << " of them blocked\n";
}

TEST_F(Explorers, MaximalCausality) {
  complete_ = {{"--explore", "mcr"}, {"--explore", "mcr", "-j", "2"}, {"--explore", "mcr", "--solver", "z3"}};
  std::uint64_t seed = 0;
  for (const auto& [name, program] : regressions()) check(++seed, program);
  const std::uint64_t programs = number_from("PLAIT_EXPLORER_SWEEP", 100), first = number_from("PLAIT_SWEEP_SEED", 1);
  for (seed = first; seed < first + programs && failures_ < 3; ++seed) {
    complete_ = {{"--explore", "mcr"}};
    if (seed % 4 == 0) complete_.push_back({"--explore", "mcr", "-j", "2"});
    if (seed % 4 == 1) complete_.push_back({"--explore", "mcr", "--solver", "z3"});
    check(seed, generate(seed, kLimit));
  }
  std::cout << programs << " programs, " << executions_ << " runs, " << queries_ << " queries\n";
  EXPECT_GT(queries_, programs);
}

}  // namespace
}  // namespace sweep
