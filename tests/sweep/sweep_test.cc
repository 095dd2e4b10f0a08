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
constexpr int kMaxFailures = 3;         // shrinking takes time, and failures tend to have one cause

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Sweep : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "plait-sweep-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    tools_ = {SWEEP_PLAIT, SWEEP_INTERPRETER, pattern};
  }
  void TearDown() override { fs::remove_all(tools_.output_directory); }

  std::string difference_of(const Program& program) { return difference(tools_, program, enumerate(program, kLimit)); }

  bool differs(const Program& program) {
    const Enumeration truth = enumerate(program, kLimit);
    return !truth.exceeded && !truth.misuse && !difference(tools_, program, truth).empty();
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
    EXPECT_EQ(difference_of(from_text(program_text_in(entry.path()))), "") << entry.path();
  }
  EXPECT_GT(files, 0);
}

TEST_F(Sweep, RandomPrograms) {
  const std::uint64_t programs = number_from("PLAIT_SWEEP", 2000);
  const std::uint64_t first = number_from("PLAIT_SWEEP_SEED", 1);
  int failures = 0;
  std::uint64_t interleavings = 0, with_deadlock = 0;
  for (std::uint64_t seed = first; seed < first + programs && failures < kMaxFailures; ++seed) {
    const Program program = generate(seed, kLimit);
    const Enumeration truth = enumerate(program, kLimit);
    interleavings += truth.interleavings + truth.deadlocks;
    with_deadlock += truth.deadlocks > 0;
    if (difference(tools_, program, truth).empty()) continue;
    ++failures;
    const Program small = shrink(program, [&](const Program& candidate) { return differs(candidate); });
    const std::string text = to_text(small), what = difference_of(small);
    const fs::path file = fs::path(SWEEP_REGRESSIONS) / ("seed-" + std::to_string(seed) + ".txt");
    std::istringstream lines(what);
    std::ofstream out(file);
    out << "# Seed " << seed << ", shrunk. When found:\n";
    for (std::string line; std::getline(lines, line);) out << "#   " << line << "\n";
    out << text << "\n";
    ADD_FAILURE() << "seed " << seed << ": " << to_text(program) << "\nshrunk: " << text << "\n"
                  << what << "kept in " << file;
  }
  std::cout << programs << " programs, " << interleavings << " interleavings, " << with_deadlock
            << " with a deadlock\n";
  if (programs >= 1000) {
    // The sweep is worth little if the generator has gone stale.
    EXPECT_GT(interleavings / programs, 50u);
    EXPECT_GT(with_deadlock * 20, programs);
  }
}

}  // namespace
}  // namespace sweep
