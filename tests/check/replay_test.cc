#include "check/replay.h"

#include <gtest/gtest.h>

#include "host/native_runner.h"

namespace plait {
namespace {

struct Explored {
  Explored(std::vector<std::string> threads)
      : program{MOCK_PROGRAM, std::move(threads), ""},
        runners(program, std::make_shared<SessionMemory>(SessionOptions{}), {}),
        control({}),
        findings(control, {true, false}) {
    Exploration exploration{runners, {}, control, findings};
    explore(*make_exhaustive(), exploration);
  }
  Program program;
  NativeRunners runners;
  Control control;
  Findings findings;
};

TEST(Replay, EveryBugFailsAgainInAFreshProcess) {
  for (const std::vector<std::string>& threads :
       {std::vector<std::string>{"sA", "s"}, {"L", "L"}, {"W", "N"}, {"sX", "s"}, {"W", "W", "NsA"}}) {
    Explored e(threads);
    ASSERT_FALSE(e.findings.bugs().empty());
    for (const FoundBug& bug : e.findings.bugs()) {
      RecordedRun run = replay_fresh(e.runners, bug.witness);
      EXPECT_TRUE(same_failure(run, bug)) << run.reply.failure.message;
      EXPECT_FALSE(run.events.empty());
    }
  }
}

TEST(Replay, AnotherProgramDoesNotFail) {
  Explored e({"sA", "s"});
  e.program.arguments = {"ss", "s"};
  const FoundBug bug = e.findings.bugs().at(0);
  EXPECT_FALSE(same_failure(replay_fresh(e.runners, bug.witness), bug));
}

}  // namespace
}  // namespace plait
