// All explorers on scripts: what can be counted by hand, and what all of them must agree on.
#include <gtest/gtest.h>

#include "ask.h"

namespace plait {
namespace {

TEST(Scripts, InterleavingsByHand) {
  EXPECT_EQ(ask("exhaustive", {"x=1", "x=2"}).interleavings, 2u);
  EXPECT_EQ(ask("exhaustive", {"x=1 x=2 x=3", "x=4 x=5 x=6"}).interleavings, 20u);
  EXPECT_EQ(ask("exhaustive", {"x=1 x=2", "x=3 x=4", "x=5 x=6"}).interleavings, 90u);
  EXPECT_EQ(ask("icb", {"x=1 x=2 x=3", "x=4 x=5 x=6"}).interleavings, 20u);
  EXPECT_EQ(ask("exhaustive", {"lock:M x=1 unlock:M", "lock:M x=2 unlock:M"}).interleavings, 2u);
}

TEST(Scripts, OneRunForEachTrace) {
  EXPECT_EQ(ask("dpor", {"x=1", "y=1"}).runs, 1u);
  EXPECT_EQ(ask("dpor", {"x=1", "x=2"}).runs, 2u);
  EXPECT_EQ(ask("dpor", {"x", "x", "x"}).runs, 1u);
  EXPECT_EQ(ask("dpor", {"x=1", "x", "x"}).runs, 4u);
  EXPECT_EQ(ask("dpor", {"x=1", "x=2", "x=3"}).runs, 6u);
}

TEST(Scripts, ClassesOfStoreBuffering) {
  ExploreOptions options;
  options.classes = true;
  for (const char* explorer : {"cumulative", "mcr", "dpor"}) {
    EXPECT_EQ(ask(explorer, {"x=1 y", "y=1 x"}, options).classes, 3u) << explorer;
    EXPECT_EQ(ask(explorer, {"x=1 x=2", "x x"}, options).classes, 6u) << explorer;
  }
}

TEST(Scripts, CumulativeNeedsARunForEachThingToLearn) {
  // Who writes learns nothing.
  EXPECT_EQ(ask("cumulative", {"x=1 x=2 x=3", "x=4 x=5 x=6"}).runs, 1u);
  EXPECT_LE(ask("cumulative", {"x=1 y", "y=1 x"}).runs, 3u);
}

TEST(Scripts, AllExplorersAgree) {
  const std::vector<std::vector<std::string>> programs = {
      {"x=1 y=1", "y skip_unless:1,2 x fail_if:0", "x=0"},
      {"lock:M lock:N unlock:N unlock:M", "lock:N lock:M unlock:M unlock:N"},
      {"lock:M wait:C,M unlock:M", "lock:M x=1 signal:C unlock:M"},
      {"x+=1 fail_if:1", "x+=1"},
      {"x?0:1 fail_if:2", "x=2", "x?2:0"},
      {"trylock:M skip_unless:0,1 unlock:M", "lock:M x=1 unlock:M", "x fail_if:1"},
      {"take:S x fail_if:0", "x=1 post:S", "take:S post:S"},
      {"lock:M x unlock:M", "lock:M x=1 x=2 unlock:M", "lock:M x fail_if:1 unlock:M"},
  };
  for (const std::vector<std::string>& program : programs) {
    const Answer all = ask("exhaustive", program);
    EXPECT_TRUE(all.complete);
    for (const ExplorerInfo& explorer : explorers())
      for (const u32 jobs : {1u, 3u}) {
        if (explorer.samples) continue;
        ExploreOptions options;
        options.jobs = jobs;
        options.first_helpers_after = 1;
        const Answer answer = ask(explorer.name.data(), program, options);
        EXPECT_TRUE(answer.complete) << explorer.name << " on " << program[0] << " / " << program[1];
        EXPECT_EQ(answer.problem, "") << explorer.name << " on " << program[0] << " / " << program[1];
        EXPECT_EQ(answer.failures, all.failures) << explorer.name << " on " << program[0] << " / " << program[1];
        const u32 first = explorer.follows_reads ? 2 : 1;  // scripts have no labels: paths goes on with values
        EXPECT_LE(answer.runs, all.runs + first) << explorer.name << " on " << program[0] << " / " << program[1];
      }
  }
}

TEST(Scripts, RandomSchedulesFindWhatIsOften) {
  ExploreOptions options;
  options.random_runs = 200;
  for (const char* explorer : {"random", "pct"}) {
    const Answer answer = ask(explorer, {"x=1", "x fail_if:1"}, options);
    EXPECT_FALSE(answer.complete);
    EXPECT_EQ(answer.failures.size(), 1u) << explorer;
    EXPECT_EQ(answer.runs, 200u) << explorer;
  }
}

TEST(Scripts, SameAnswerForAnyNumberOfThreads) {
  for (const u32 jobs : {1u, 2u, 3u}) {
    ExploreOptions options;
    options.jobs = jobs;
    options.first_helpers_after = 1;
    const Answer answer = ask("exhaustive", {"x=1 x=2 x=3 x=4", "x=5 x=6 x=7 x=8", "x=9 x=10"}, options);
    EXPECT_EQ(answer.interleavings, 3150u) << jobs;
    EXPECT_TRUE(answer.complete);
  }
}

}  // namespace
}  // namespace plait
