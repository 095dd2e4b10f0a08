#include "host/worker.h"

#include <gtest/gtest.h>

#include <thread>

#include "host/describe.h"
#include "host/error.h"

namespace plait {
namespace {

std::atomic<bool> never{false};

struct Fixture {
  explicit Fixture(std::vector<std::string> arguments, WorkerOptions options = {})
      : program{MOCK_PROGRAM, std::move(arguments), ""}, session(SessionOptions{}), worker(program, session, options) {}
  /// Runs `n` times with the default schedule; the status of each.
  std::vector<RunStatus> run(u32 n) {
    worker.clear();
    for (u32 i = 0; i < n; ++i) {
      Request request{};
      request.tail = Tail::First;
      EXPECT_TRUE(worker.add(request, {}));
    }
    std::vector<RunStatus> statuses;
    EXPECT_TRUE(worker.run(never, [&](u32 index, const RunView& run) {
      EXPECT_EQ(index, statuses.size());
      statuses.push_back(run.reply->status);
      last_events.assign(run.events.begin(), run.events.end());
      last_failure = run.reply->failure;
    }));
    return statuses;
  }
  Program program;
  SessionMemory session;
  Worker worker;
  std::vector<Event> last_events;
  Failure last_failure{};
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), kExitUsage);
    return error.what();
  }
  return "no error";
}

TEST(Worker, RunsBatchesAgainAndAgain) {
  Fixture f({"ss", "s"});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(f.run(kBatch), std::vector(kBatch, RunStatus::Complete));
  EXPECT_EQ(f.last_events.size(), 3u);
  EXPECT_EQ(f.worker.lost(), 0u);
}

TEST(Worker, FollowsTheSchedule) {
  Fixture f({"ss", "s"});
  Choice schedule[] = {{Choice::Run, 2, 0, kNextPoint}};
  f.worker.clear();
  ASSERT_TRUE(f.worker.add(Request{}, schedule));
  f.worker.run(never, [&](u32, const RunView& run) { EXPECT_EQ(run.events[0].thread, 2); });
}

TEST(Worker, FullBatchTakesNoMore) {
  Fixture f({"s"});
  f.worker.clear();
  for (u32 i = 0; i < kBatch; ++i) ASSERT_TRUE(f.worker.add(Request{}, {}));
  EXPECT_FALSE(f.worker.add(Request{}, {}));
}

TEST(Worker, SendsTheRestWhenABatchComesBackUnfinished) {
  Fixture f({"--small=5", "ss"});
  EXPECT_EQ(f.run(23), std::vector(23, RunStatus::Complete));
}

TEST(Worker, ACrashCostsAProcessNotTheBatch) {
  Fixture f({"ssX"});
  EXPECT_EQ(f.run(3), std::vector(3, RunStatus::Failed));
  EXPECT_EQ(f.worker.lost(), 3u);
  EXPECT_EQ(f.last_failure.kind, FailureKind::Crash);
  EXPECT_NE(std::string(f.last_failure.message).find("SIGABRT"), std::string::npos);
  EXPECT_EQ(f.last_events.size(), 3u);  // what it wrote before it died
}

TEST(Worker, AnExitInTheMiddleIsReported) {
  Fixture f({"sE"});
  EXPECT_EQ(f.run(1), std::vector(1, RunStatus::Failed));
  EXPECT_NE(std::string(f.last_failure.message).find("exited with code 3"), std::string::npos);
}

TEST(Worker, AHangEnds) {
  WorkerOptions options;
  options.hang_seconds = 1;
  Fixture f({"sH"}, options);
  EXPECT_EQ(f.run(1), std::vector(1, RunStatus::Failed));
  EXPECT_EQ(f.last_failure.kind, FailureKind::InfiniteLoop);
}

TEST(Worker, ARetiredProcessIsReplaced) {
  Fixture f({"sQ"});
  EXPECT_EQ(f.run(4), std::vector(4, RunStatus::Complete));
  EXPECT_EQ(f.worker.lost(), 4u);
}

TEST(Worker, StopsWhenTold) {
  Fixture f({"sH"});
  std::atomic<bool> stop{false};
  f.worker.add(Request{}, {});
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  EXPECT_FALSE(f.worker.run(stop, [](u32, const RunView&) { FAIL(); }));
  stopper.join();
  // And can be used again.
  f.program.arguments = {"ss"};
  EXPECT_EQ(f.run(2), std::vector(2, RunStatus::Complete));
}

TEST(Worker, ExplainsAMissingLibrary) {
  Fixture f({"--die", "s"});
  std::string message = message_of([&] { f.worker.start(); });
  EXPECT_NE(message.find("exited with code 127"), std::string::npos) << message;
  EXPECT_NE(message.find("libmissing.so"), std::string::npos) << message;
}

TEST(Worker, ExplainsAnotherVersion) {
  Fixture f({"--wrong-version", "s"});
  EXPECT_NE(message_of([&] { f.worker.start(); }).find("another version"), std::string::npos);
}

TEST(Worker, DoesNotWaitForEver) {
  WorkerOptions options;
  options.start_seconds = 1;
  Fixture f({"--never-ready", "s"}, options);
  EXPECT_NE(message_of([&] { f.worker.start(); }).find("did not start as a worker"), std::string::npos);
}

TEST(Worker, DescribesItself) {
  Program program{MOCK_PROGRAM, {"s"}, ""};
  std::string text = describe(program);
  EXPECT_NE(text.find("mock.cc"), std::string::npos);
  EXPECT_NE(text.find("\nE\t"), std::string::npos);
}

TEST(SessionMemory, KnowledgeSurvives) {
  Knowledge knowledge;
  knowledge.identities = {{kNoThread, 0, 0}, {0, 0, 0}, {1, 0, 2}};
  knowledge.shared = {{0x1000, 4}, {0x2000, 8}};
  knowledge.end_visible = true;
  SessionMemory session(SessionOptions{});
  session.teach(knowledge);
  Knowledge back = session.knowledge();
  EXPECT_EQ(back.identities.size(), 3u);
  EXPECT_EQ(back.identities[2].parent, 1);
  EXPECT_EQ(back.identities[2].fork_index, 2);
  EXPECT_EQ(back.shared, knowledge.shared);
  EXPECT_TRUE(back.end_visible);
}

}  // namespace
}  // namespace plait
