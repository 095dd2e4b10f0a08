// Plait against the enumerator: first the kept regressions, then PLAIT_SWEEP (default 2000) random programs from seed
// PLAIT_SWEEP_SEED (default 1). A program on which they differ is shrunk, printed and kept in regressions/.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "checker.h"
#include "generator.h"
#include "shrink.h"

namespace sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit = 3000;  // interleavings per program: two thousand programs in a minute or two
constexpr std::uint64_t kSleepSetsEvery = 5;
constexpr int kMaxFailures = 3;  // shrinking takes time, and failures tend to have one cause

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Sweep : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "plait-sweep-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    tools_ = {SWEEP_PLAIT, SWEEP_INTERPRETER, SWEEP_INTERPRETER_SOURCE, pattern};
  }
  void TearDown() override { fs::remove_all(tools_.output_directory); }

  std::string difference_of(const Program& program, Mode mode) {
    return difference(tools_, program, enumerate(program, kLimit), mode);
  }

  /// Shrinks, reports and keeps a program on which Plait is wrong.
  void fail(std::uint64_t seed, const Program& program, Mode mode) {
    const Program small = shrink(program, [&](const Program& candidate) {
      const Enumeration truth = enumerate(candidate, kLimit);
      return !truth.exceeded && !truth.misuse && !truth.ambiguous &&
             !difference(tools_, candidate, truth, mode).empty();
    });
    const std::string text = to_text(small), what = difference_of(small, mode);
    const fs::path file = fs::path(SWEEP_REGRESSIONS) / ("seed-" + std::to_string(seed) + ".txt");
    std::istringstream lines(what);
    std::ofstream out(file);
    out << "# Seed " << seed << ", shrunk. When found"
        << (mode == Mode::SleepSets    ? " with sleep sets:\n"
            : mode == Mode::Cumulative ? " by cumulative without merging:\n"
            : mode == Mode::Merged     ? " by cumulative:\n"
                                       : ":\n");
    for (std::string line; std::getline(lines, line);) out << "#   " << line << "\n";
    out << text << "\n";
    ADD_FAILURE() << "seed " << seed << ": " << to_text(program) << "\nshrunk: " << text << "\n"
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
    EXPECT_EQ(difference_of(program, Mode::Exhaustive), "") << entry.path();
    EXPECT_EQ(difference_of(program, Mode::SleepSets), "") << entry.path() << " with sleep sets";
    EXPECT_EQ(difference_of(program, Mode::Cumulative), "") << entry.path() << " without merging";
    EXPECT_EQ(difference_of(program, Mode::Merged), "") << entry.path() << " cumulative";
  }
  EXPECT_GT(files, 0);
}

TEST_F(Sweep, RandomPrograms) {
  const std::uint64_t programs = number_from("PLAIT_SWEEP", 2000);
  const std::uint64_t first = number_from("PLAIT_SWEEP_SEED", 1);
  int failures = 0;
  std::uint64_t interleavings = 0, with_deadlock = 0, with_race = 0, histories = 0;
  for (std::uint64_t seed = first; seed < first + programs && failures < kMaxFailures; ++seed) {
    if (seed != first && (seed - first) % 10000 == 0) std::cout << seed - first << " programs agree" << std::endl;
    const Program program = generate(seed, kLimit);
    const Enumeration truth = enumerate(program, kLimit);
    interleavings += truth.interleavings + truth.deadlocks;
    with_deadlock += truth.deadlocks > 0;
    with_race += !truth.races.empty();
    histories += truth.histories;
    for (const Mode mode : {Mode::Exhaustive, Mode::SleepSets, Mode::Cumulative, Mode::Merged}) {
      if (mode == Mode::SleepSets && seed % kSleepSetsEvery) continue;
      if (difference(tools_, program, truth, mode).empty()) continue;
      ++failures;
      fail(seed, program, mode);
    }
  }
  std::cout << programs << " programs, " << interleavings << " interleavings, " << with_deadlock << " with a deadlock, "
            << with_race << " with a race, " << histories << " local histories\n";
  if (programs >= 1000) {
    // The sweep is worth little if the generator has gone stale.
    EXPECT_GT(interleavings / programs, 50u);
    EXPECT_GT(with_deadlock * 20, programs);
    EXPECT_GT(with_race * 5, programs);
  }
}

}  // namespace
}  // namespace sweep
