// The oracle itself, on programs whose numbers can be worked out by hand.
#include "enumerator.h"

#include <gtest/gtest.h>

#include "generator.h"
#include "shrink.h"

namespace sweep {
namespace {

Enumeration of(const std::string& text, MemoryModel model = MemoryModel::SC) {
  return enumerate(from_text(text), 1000000, model);
}

TEST(Enumerator, CountsOrdersOfTwoThreads) {
  const Enumeration truth = of("f1 l00 l01 / s01 s02");  // 4! / (2! 2!)
  EXPECT_EQ(truth.interleavings, 6u);
  EXPECT_EQ(truth.deadlocks, 0u);
  EXPECT_EQ(truth.outcomes.size(), 6u);  // (0,0) (0,1) (0,2) (1,1) (1,2) (2,2)
}

TEST(Enumerator, PlainAddIsTwoSteps) {
  EXPECT_EQ(of("f1 f2 a01 j l00 / F010 / a01").interleavings, 30u);  // 5! / (2! 1! 2!)
  EXPECT_EQ(of("f1 a01 j l00 / a01").outcomes, (std::set<std::string>{"000000000000001\n", "000000000000002\n"}));
}

TEST(Enumerator, PrivateObjectsAreNoPoints) { EXPECT_EQ(of("f1 l00 a11 k0 u0 / a21 P0 s01 T01").interleavings, 2u); }

TEST(Enumerator, ReadersAloneDoNotShare) { EXPECT_EQ(of("s03 f1 l00 / l00").interleavings, 1u); }

TEST(Enumerator, UsesBeforeTheFirstForkDoNotCount) {
  EXPECT_EQ(of("s01 s02 f1 / l00 s00").interleavings, 1u);
  EXPECT_EQ(of("f1 s01 s02 / l00").interleavings, 3u);
}

TEST(Enumerator, ForkInsideAThread) { EXPECT_EQ(of("f1 s01 / s02 f2 / s03").interleavings, 3u); }

TEST(Enumerator, LocksExclude) {
  EXPECT_EQ(of("f1 k0 a01 u0 / k0 a01 u0").interleavings, 2u);
  const Enumeration abba = of("f1 k0 k1 u1 u0 / k1 k0 u0 u1");
  EXPECT_EQ(abba.deadlocks, 2u);
  EXPECT_EQ(abba.interleavings, 4u);  // either first, its k0 k1 u1 before, between or after the other's start
}

TEST(Enumerator, ASignalChoosesItsWaiter) {
  // Both wait, then main's only signal wakes one of them: 2 orders of waiting x 2 choices, among others.
  const Enumeration truth = of("f1 f2 g0 / k0 w00 u0 / k0 w00 u0");
  EXPECT_EQ(truth.interleavings, 0u);
  EXPECT_GT(truth.deadlocks, 4u);
}

TEST(Enumerator, ASignalMayComeTooEarly) {
  // The mutex is thread 1's alone. P W g w is lost; P W w g and P w W g are not.
  const Enumeration early = of("f1 W0 g0 / k0 P0 w00 u0");
  EXPECT_EQ(early.deadlocks, 1u);
  EXPECT_EQ(early.interleavings, 2u);
  EXPECT_EQ(of("f1 W0 k0 g0 u0 / k0 P0 w00 u0").deadlocks, 0u);
}

TEST(Enumerator, SemaphoresBlock) {
  EXPECT_EQ(of("f1 W0 l00 / s01 P0").outcomes, std::set<std::string>{"000000000000001\n"});
  EXPECT_EQ(of("f1 W1 / W1").deadlocks, 2u);
}

TEST(Enumerator, BarriersAndReaderWriterLocks) {
  const Enumeration barrier = of("f1 B00 / B00");  // the second to arrive is the serial one; the other leaves
  EXPECT_EQ(barrier.interleavings, 2u);
  EXPECT_EQ(barrier.outcomes.size(), 2u);
  EXPECT_EQ(of("f1 r0 z0 / r0 z0").interleavings, 6u);
  EXPECT_EQ(of("f1 x0 z0 / x0 z0").interleavings, 2u);
  EXPECT_EQ(of("f1 x0 z0 / r0 z0").interleavings, 2u);
}

TEST(Enumerator, ADeadlineMayPassOrNot) {
  EXPECT_EQ(of("f1 k0 E000 u0 / k0 g0 u0").outcomes, (std::set<std::string>{"000000000000000\n", "000000000000001\n"}));
  EXPECT_EQ(of("f1 k0 E000 u0 / k0 g0 u0").deadlocks, 0u);
}

TEST(Enumerator, WhoIsInNoCycleGoesOn) {
  // M: main's first lock, after which it waits for itself. S, K: thread 1. L: thread 2.
  // M, S and L in any order; SKL, SLK, LSK leave the mutex locked.
  EXPECT_EQ(of("f1 f2 k0 k0 / s01 k0 / l00").deadlocks, 9u);
}

TEST(Enumerator, NamesWhatDependsOnTheOrderOfLearning) {
  EXPECT_TRUE(of("f1 f2 k0 u0 / S013 / l01 k0 b0 w00").ambiguous);  // is the broadcast a scheduling point?
  EXPECT_FALSE(of("f1 f2 k0 u0 / S013 / l01 k0 u0").ambiguous);
}

TEST(Enumerator, NamesMisuse) {
  EXPECT_TRUE(of("f1 u0 / k0").misuse);
  EXPECT_TRUE(of("f1 w00 / k0").misuse);
}

TEST(Program, TextRoundTrip) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = to_text(generate(seed, 500));
    EXPECT_EQ(to_text(from_text(text)), text);
  }
  EXPECT_THROW(from_text("z1"), std::invalid_argument);
  EXPECT_THROW(from_text("l9"), std::invalid_argument);
  EXPECT_THROW(from_text("f1 f1 / s01"), std::invalid_argument);
  EXPECT_THROW(from_text("s01 / f0"), std::invalid_argument);
}

TEST(Shrink, KeepsWhatFails) {
  const Program program = from_text("f1 f2 l02 ?214 k0 s01 u0 F031 j l00 / k0 s02 u0 / ?002 s03 l01 a01");
  const auto has_add = [](const Program& candidate) { return to_text(candidate).find("a01") != std::string::npos; };
  EXPECT_EQ(to_text(shrink(program, has_add)), " / a01");
}

TEST(Enumerator, LoopsCount) {
  // Each turn is one load: C(4, 1), C(5, 2) orders of the loads and the stores.
  EXPECT_EQ(of("f1 l00 o12 / s01").interleavings, 4u);
  EXPECT_EQ(of("f1 l00 i231 / s01 s02").interleavings, 10u);
  // Outer and inner loop: 2 x 2 loads.
  EXPECT_EQ(of("f1 l00 o11 o21 / s01").interleavings, 5u);
}

TEST(Enumerator, RetriesEndEarly) {
  // One to three loads, until a 1 is seen: 0 0 0, 0 0 1, 0 1, 1.
  const Enumeration truth = of("f1 l00 y0112 / s01");
  EXPECT_EQ(truth.outcomes.size(), 2u);
  EXPECT_EQ(truth.interleavings, 4u);
  EXPECT_EQ(truth.histories, 3u + 3u + 4u);  // 0, 0 0, 0 0 0; 1, 0 1, 0 0 1; the join after each of the four
}

TEST(Enumerator, LoopsThatNeedNotEndAreRefused) {
  EXPECT_NE(problem_of({{{'l', {0, 2}}, {'i', {2, 3, 1}}}}), "");  // the counter is overwritten
  EXPECT_NE(problem_of({{{'f', {1}}, {'o', {1, 1}}}, {}}), "");    // forks twice
  EXPECT_NE(problem_of({{{'l', {0, 0}}, {'o', {2, 1}}}}), "");     // goes back too far
  EXPECT_EQ(problem_of({{{'l', {0, 0}}, {'i', {2, 3, 1}}}}), "");
}

TEST(Enumerator, HistoriesAreWhatThreadsWereTold) {
  EXPECT_EQ(of("f1 l00 / s01").histories, 2u + 2u);  // 0; 1; after each the join
  EXPECT_EQ(of("f1 t00 ?011 u0 / k0 u0").histories, 2u + 2u);
  EXPECT_EQ(of("f1 l10 / s01").histories, 1u);  // variable 1 is private: the join only
}

TEST(Enumerator, RacesArePairsOfAccesses) {
  using Races = std::set<std::pair<char, char>>;
  EXPECT_EQ(of("f1 l00 s01 / a01 L00").races, (Races{{'+', 'l'}, {'+', 's'}, {'L', 's'}, {'a', 's'}}));
  EXPECT_EQ(of("f1 L00 A01 / F010 L00").races, Races{});     // all atomic
  EXPECT_EQ(of("f1 k0 s01 u0 / k0 s02 u0").races, Races{});  // one lock
  EXPECT_EQ(of("f1 j s01 / s02").races, Races{});            // joined before
  EXPECT_EQ(of("f1 k0 s01 u0 / k1 s02 u1").races, (Races{{'s', 's'}}));
}

}  // namespace
}  // namespace sweep
