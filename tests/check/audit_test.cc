// Audits on the mock program: what is claimed and true is no surprise, what is missing from the claims is one.
#include "check/audit.h"

#include <gtest/gtest.h>

#include "host/native_runner.h"

namespace plait {
namespace {

Audit audited(const std::vector<std::string>& threads, Claims claims, u64 runs = 40) {
  Program program{MOCK_PROGRAM, threads, ""};
  WorkerOptions options;
  options.max_events = 1000;
  NativeRunners runners(program, std::make_shared<SessionMemory>(SessionOptions{}), options);
  const std::atomic<bool> never{false};
  return audit(runners, claims, {.runs = runs}, never);
}

TEST(Audit, NothingClaimedNothingWrong) {
  const Audit found = audited({"ss", "s"}, {});
  EXPECT_EQ(found.runs, 40u);
  EXPECT_FALSE(found.surprise) << found.surprise->message;
}

TEST(Audit, AFailureIsASurprise) {
  const Audit found = audited({"sA", "s"}, {});
  ASSERT_TRUE(found.surprise);
  EXPECT_NE(found.surprise->message.find("a run fails (assertion)"), std::string::npos) << found.surprise->message;
}

TEST(Audit, AFailureThatIsIgnoredIsNone) {
  Claims claims;
  claims.checked = KindSet::parse("deadlock");
  EXPECT_FALSE(audited({"sA", "s"}, std::move(claims)).surprise);
}

TEST(Audit, AnUnknownOutputIsASurprise) {
  Claims claims;
  claims.outputs.emplace();
  const Audit found = audited({"ss", "s"}, std::move(claims));
  ASSERT_TRUE(found.surprise);
  EXPECT_NE(found.surprise->message.find("no known output"), std::string::npos) << found.surprise->message;
}

TEST(Audit, AnOperationThatNobodyHasSeenIsASurprise) {
  Claims claims;
  claims.behaviour.emplace();
  const Audit found = audited({"ss", "s"}, std::move(claims));
  ASSERT_TRUE(found.surprise);
  EXPECT_EQ(found.runs, 1u);
  // Main's first operation, or a thread that nobody has forked: the mock's threads are there from the start.
  const std::string& message = found.surprise->message;
  EXPECT_TRUE(message.find("nothing was known of what comes here") != std::string::npos ||
              message.find("without having been forked") != std::string::npos)
      << message;
}

}  // namespace
}  // namespace plait
