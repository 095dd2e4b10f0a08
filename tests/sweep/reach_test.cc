// The second oracle: against the first one where both apply, and by hand where it is alone.
#include "reach.h"

#include <gtest/gtest.h>

#include "enumerator.h"
#include "families.h"
#include "generator.h"

namespace sweep {
namespace {

using Names = std::set<std::string>;

Reachable reach_text(const std::string& text, MemoryModel model = MemoryModel::SC) {
  return reach(from_text(text), 100000, model);
}

TEST(Reach, AgreesWithTheEnumerator) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Program program = generate(seed, 500);
    for (const MemoryModel model : kMemoryModels) {
      const Enumeration counted = enumerate(program, 500, model);
      const Reachable found = reach(program, 1000000, model);
      ASSERT_FALSE(found.exceeded);
      EXPECT_EQ(found.outcomes, counted.outcomes) << to_text(program);
      EXPECT_EQ(found.bugs, counted.deadlocks ? Names{"deadlock"} : Names{}) << to_text(program);
      Names races;
      for (const auto& [one, other] : counted.races) races.insert(std::string{one, other});
      EXPECT_EQ(found.races, races) << to_text(program);
    }
  }
}

TEST(Reach, AnAssumptionEndsARunSilently) {
  const Reachable found = reach_text("f1 L00 V01 / A01");
  EXPECT_EQ(found.outcomes, Names{"000000000000001\n"});
  EXPECT_EQ(found.bugs, Names{});
  EXPECT_EQ(reach_text("f1 V01 / A01").outcomes, Names{});
}

TEST(Reach, AFailureOfOneThreadDoesNotHideAnothers) {
  EXPECT_EQ(reach_text("f1 X000 / X001").bugs, (Names{"assertion@X0", "abort@X1"}));
}

TEST(Reach, EndsOfTheProgram) {
  EXPECT_EQ(reach_text(">1 / e").outcomes,
            (Names{"000000000000000\n", "1:000\n", "000000000000000\n1:000\n", "1:000\n000000000000000\n"}));
  EXPECT_EQ(reach_text("d1 p / A01 e").outcomes, Names{"1:000\n"});
  EXPECT_EQ(reach_text("d1 p / A01").outcomes, Names{""});
  EXPECT_EQ(reach_text("f1 ,1 / ,2").outcomes, (Names{"000000000000000\nh1\nh2\n", "000000000000000\nh2\nh1\n"}));
}

TEST(Reach, FreedBlocks) {
  EXPECT_EQ(reach_text("f1 n0 / L40").bugs, Names{"use-after-free@L"});
  EXPECT_EQ(reach_text("f1 n0 / n0").bugs, Names{"double-free@n"});
  EXPECT_EQ(reach_text("f1 j n0 / k2 L40 u2").bugs, Names{});
}

TEST(Reach, DestroyedMutexes) {
  EXPECT_EQ(reach_text("f1 Y0 / k0 u0").bugs, (Names{"lock-misuse@Y", "lock-misuse@k"}));
  EXPECT_EQ(reach_text("f1 j Y0 / k0 u0").bugs, Names{});
}

TEST(Reach, ALoopThatCannotEndIsALivelock) {
  EXPECT_EQ(reach_text("f1 L00 ~011 / A01").bugs, Names{});
  EXPECT_EQ(reach_text("f1 L00 ~011 / A02").bugs, Names{"livelock"});
}

TEST(Reach, JoinsByStrangersAndRecursiveLocks) {
  EXPECT_EQ(reach_text(">1 f2 / A01 L00 / (1 L01").outcomes, Names{"000000010001000\n"});
  EXPECT_EQ(reach_text("f1 k4 k4 u4 u4 / k4 u4").bugs, Names{});
  EXPECT_EQ(reach_text("f1 k4 k4 u4 / k4 u4").bugs, Names{"deadlock"});
}

TEST(Families, EachDrawsTheSameProgramAgain) {
  for (const Family& family : kFamilies)
    EXPECT_EQ(to_text(generate(family, 7, 2000, MemoryModel::SC)), to_text(generate(family, 7, 2000, MemoryModel::SC)));
}

}  // namespace
}  // namespace sweep
