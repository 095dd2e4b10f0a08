// Plait against the enumerator: first the kept regressions, then PLAIT_SWEEP (default 120) random programs from seed
// PLAIT_SWEEP_SEED (default 1), each under all memory models or under PLAIT_SWEEP_MODEL only (sc, tso, pso). A program
// on which they differ is shrunk, printed and kept in regressions/.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "checker.h"
#include "generator.h"
#include "shrink.h"
#include "weak_memory_explorers.h"

namespace sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit =
    3000;  // interleavings per program and memory model: hundreds of programs in a minute or two
constexpr std::uint64_t kSleepSetsEvery = 5;
constexpr std::uint64_t kUnmergedEvery = 2;
constexpr int kMaxFailures = 3;  // shrinking takes time, and failures tend to have one cause

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

bool wanted(MemoryModel model) {
  const char* text = std::getenv("PLAIT_SWEEP_MODEL");
  return !text || !*text || std::string(text) == name_of(model);
}

class Sweep : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "plait-sweep-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    tools_ = {SWEEP_PLAIT, SWEEP_INTERPRETER, SWEEP_INTERPRETER_SOURCE, pattern};
  }
  void TearDown() override { fs::remove_all(tools_.output_directory); }

  std::string difference_of(const Program& program, MemoryModel model, Mode mode) {
    return difference(tools_, program, enumerate(program, kLimit, model), model, mode);
  }

  /// Shrinks, reports and keeps a program on which Plait is wrong.
  void fail(std::uint64_t seed, const Program& program, MemoryModel model, Mode mode) {
    // The same thing must stay wrong, or the program shrinks into another failure.
    const auto first_word = [](const std::string& what) { return what.substr(0, what.find(':')); };
    const std::string wrong = first_word(difference_of(program, model, mode));
    const Program small = shrink(program, [&](const Program& candidate) {
      const Enumeration truth = enumerate(candidate, kLimit, model);
      if (truth.exceeded || truth.misuse || truth.ambiguous) return false;
      const std::string what = difference(tools_, candidate, truth, model, mode);
      return !what.empty() && first_word(what) == wrong;
    });
    const std::string text = to_text(small), what = difference_of(small, model, mode);
    const fs::path file = fs::path(SWEEP_REGRESSIONS) / ("seed-" + std::to_string(seed) + ".txt");
    std::istringstream lines(what);
    std::ofstream out(file);
    out << "# Seed " << seed << ", shrunk. When found by " << name_of(mode) << ", " << name_of(model) << ":\n";
    for (std::string line; std::getline(lines, line);) out << "#   " << line << "\n";
    out << text << "\n";
    ADD_FAILURE() << "seed " << seed << ", " << name_of(mode) << ", " << name_of(model) << ": " << to_text(program)
                  << "\nshrunk: " << text << "\n"
                  << what << "kept in " << file;
  }

  Tools tools_;
};

std::string program_text_in(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') text += line + " ";
  return text;
}

TEST_F(Sweep, Regressions) {
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(SWEEP_REGRESSIONS)) {
    if (entry.path().extension() != ".txt") continue;
    ++files;
    const Program program = from_text(program_text_in(entry.path()));
    for (const MemoryModel model : kMemoryModels)
      for (const Mode mode : kModes)
        if (is_compared(explorer_of(mode), model))
          EXPECT_EQ(difference_of(program, model, mode), "")
              << entry.path() << " " << name_of(mode) << " " << name_of(model);
  }
  EXPECT_GT(files, 0);
}

TEST_F(Sweep, RandomPrograms) {
  const std::uint64_t programs = number_from("PLAIT_SWEEP", 120);
  const std::uint64_t first = number_from("PLAIT_SWEEP_SEED", 1);
  int failures = 0;
  std::uint64_t interleavings = 0, with_deadlock = 0, with_race = 0, histories = 0, checks = 0;
  std::uint64_t with_more_interleavings = 0, with_more_outcomes = 0;
  for (std::uint64_t seed = first; seed < first + programs && failures < kMaxFailures; ++seed) {
    if (seed != first && (seed - first) % 10000 == 0) std::cout << seed - first << " programs agree" << std::endl;
    const Program program = generate(seed, kLimit);
    Enumeration previous;
    for (const MemoryModel model : kMemoryModels) {
      const Enumeration truth = enumerate(program, kLimit, model);
      if (model == MemoryModel::SC) {
        interleavings += truth.interleavings + truth.deadlocks;
        with_deadlock += truth.deadlocks > 0;
        with_race += !truth.races.empty();
        histories += truth.histories;
      } else {
        with_more_interleavings += truth.interleavings > previous.interleavings;
        with_more_outcomes += truth.outcomes != previous.outcomes;
      }
      previous = truth;
      if (!wanted(model)) continue;
      for (const Mode mode : kModes) {
        if (mode == Mode::SleepSets && seed % kSleepSetsEvery) continue;
        if (mode == Mode::Cumulative && seed % kUnmergedEvery) continue;
        if (!is_compared(explorer_of(mode), model)) continue;
        ++checks;
        if (difference(tools_, program, truth, model, mode).empty()) continue;
        ++failures;
        fail(seed, program, model, mode);
      }
    }
  }
  std::cout << programs << " programs, " << checks << " checks; under SC " << interleavings << " interleavings, "
            << with_deadlock << " with a deadlock, " << with_race << " with a race, " << histories
            << " local histories; a weaker model adds interleavings " << with_more_interleavings << " times, outcomes "
            << with_more_outcomes << " times\n";
  if (programs >= 100 && !failures) {
    // The sweep is worth little if the generator has gone stale.
    EXPECT_GT(interleavings / programs, 50u);
    EXPECT_GT(with_deadlock * 20, programs);
    EXPECT_GT(with_race * 5, programs);
    EXPECT_GT(with_more_interleavings * 3, programs);
    EXPECT_GT(with_more_outcomes * 20, programs);
  }
}

}  // namespace
}  // namespace sweep
