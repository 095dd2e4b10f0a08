#include "host/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "host/describe.h"

namespace plait {
namespace {

std::atomic<bool> never{false};

struct Fixture {
  explicit Fixture(std::vector<std::string> arguments, WorkerOptions options = {})
      : program{MOCK_PROGRAM, std::move(arguments), ""}, session(SessionOptions{}), worker(program, session, options) {}
  /// Runs `n` times with the default schedule; the status of each.
  std::vector<RunStatus> run(u32 n) {
    batch.clear();
    for (u32 i = 0; i < n; ++i) {
      Request request{};
      request.tail = Tail::First;
      EXPECT_TRUE(batch.add(request, {}));
    }
    std::vector<RunStatus> statuses;
    EXPECT_TRUE(worker.run(batch, session.visibility(), never, [&](u32 index, const RunView& run) {
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
  Batch batch;
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
  ASSERT_TRUE(f.batch.add(Request{}, schedule));
  f.worker.run_again(f.batch, never, [&](u32, const RunView& run) { EXPECT_EQ(run.events[0].thread, 2); });
}

TEST(Worker, MarksRunsThatWereMadeWithMoreVisible) {
  Fixture f({"sg", "gs"});
  std::vector<bool> outgrown;
  const auto note = [&](u32, const RunView& run) { outgrown.push_back(run.outgrown); };
  Request request{};
  request.tail = Tail::Random;
  const Visibility before = f.session.visibility();
  while (f.session.extent() == before.extent() && request.seed < 100) {
    ++request.seed;
    f.batch.clear();
    f.batch.add(request, {});
    f.worker.run(f.batch, before, never, note);
  }
  ASSERT_GT(f.session.extent(), before.extent());
  EXPECT_TRUE(outgrown.back());
  EXPECT_EQ(std::count(outgrown.begin(), outgrown.end(), true), 1);
  f.worker.run(f.batch, before, never, note);
  EXPECT_TRUE(outgrown.back()) << "its schedule may be from before";
  f.worker.run(f.batch, f.session.visibility(), never, note);
  EXPECT_FALSE(outgrown.back());
}

TEST(Batch, TakesNoMoreWhenFull) {
  Batch batch;
  for (u32 i = 0; i < kBatch; ++i) ASSERT_TRUE(batch.add(Request{}, {}));
  EXPECT_FALSE(batch.add(Request{}, {}));
  batch.clear();
  EXPECT_TRUE(batch.add(Request{}, {}));
}

TEST(Batch, KeepsSchedulesApart) {
  Batch batch;
  for (u16 n = 0; n < 20; ++n) ASSERT_TRUE(batch.add(Request{}, std::vector<Choice>(n, Choice{Choice::Run, 1, n, 0})));
  for (u16 n = 0; n < 20; ++n) {
    ASSERT_EQ(batch.schedule(n).size(), n);
    for (const Choice& choice : batch.schedule(n)) EXPECT_EQ(choice.arg, n);
  }
  const std::vector<Choice> long_one(3'000'000);
  EXPECT_FALSE(batch.add(Request{}, long_one));
  batch.clear();
  EXPECT_TRUE(batch.add(Request{}, long_one));
}

TEST(Worker, SendsTheRestWhenABatchComesBackUnfinished) {
  Fixture f({"--small=5", "ss"});
  EXPECT_EQ(f.run(23), std::vector(23, RunStatus::Complete));
}

TEST(Worker, ACrashCostsAProcessNotTheBatch) {
  Fixture f({"ssX"});
  EXPECT_EQ(f.run(3), std::vector(3, RunStatus::Failed));
  EXPECT_EQ(f.worker.lost(), 6u);  // each twice: only what happens again is the program's doing
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

TEST(Worker, ALoopEnds) {
  WorkerOptions options;
  options.hang_seconds = 1;
  Fixture f({"sB"}, options);
  EXPECT_EQ(f.run(1), std::vector(1, RunStatus::Failed));
  EXPECT_EQ(f.last_failure.kind, FailureKind::InfiniteLoop);
}

TEST(Worker, WhoDoesNotGetTheProcessorDoesNotHang) {
  WorkerOptions options;
  options.hang_seconds = 1;
  Fixture f({"sZs"}, options);
  EXPECT_EQ(f.run(1), std::vector(1, RunStatus::Complete));
}

TEST(Worker, AKillFromOutsideIsNotSeen) {
  Fixture f({"ssKs"});
  EXPECT_EQ(f.run(5), std::vector(5, RunStatus::Complete));
  EXPECT_EQ(f.worker.lost(), 3u);
  EXPECT_EQ(f.last_events.size(), 4u);
}

TEST(Worker, OneThatIsKilledAgainAndAgainHasNoResources) {
  Fixture f({"sk"});
  EXPECT_EQ(f.run(1), std::vector(1, RunStatus::Failed));
  EXPECT_EQ(f.last_failure.kind, FailureKind::OutOfResources);
  EXPECT_NE(std::string(f.last_failure.message).find("SIGKILL"), std::string::npos) << f.last_failure.message;
}

TEST(Worker, AStoppedProcessIsNotAHang) {
  WorkerOptions options;
  options.hang_seconds = 1;
  Fixture f({"sPs"}, options);
  EXPECT_EQ(f.run(2), std::vector(2, RunStatus::Complete));
  EXPECT_EQ(f.worker.lost(), 1u);
}

TEST(Worker, CrashesAtDifferentStepsAreNotTheProgram) {
  Fixture f({"OOOO"});
  EXPECT_EQ(f.run(2), std::vector(2, RunStatus::Complete));
  EXPECT_EQ(f.worker.lost(), 4u);
}

TEST(Worker, WhatAKilledProcessWasAboutToTellIsNotLost) {
  Fixture f({"ssI"});
  EXPECT_EQ(f.run(2), std::vector(2, RunStatus::Complete));
  EXPECT_EQ(f.worker.lost(), 1u);
  const Visibility visibility = f.session.visibility();
  const auto is_y = [](const Visibility::Range& range) { return range.begin == 0x2000 && range.size == 1; };
  EXPECT_TRUE(std::any_of(visibility.shared.begin(), visibility.shared.end(), is_y));
  EXPECT_EQ(visibility.extent(), f.session.extent()) << "a slot is not ready";
}

TEST(Worker, ARetiredProcessIsReplaced) {
  Fixture f({"sQ"});
  EXPECT_EQ(f.run(4), std::vector(4, RunStatus::Complete));
  EXPECT_EQ(f.worker.lost(), 4u);
}

TEST(Worker, StopsWhenTold) {
  Fixture f({"sH"});
  std::atomic<bool> stop{false};
  f.batch.add(Request{}, {});
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  EXPECT_FALSE(f.worker.run_again(f.batch, stop, [](u32, const RunView&) { FAIL(); }));
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

TEST(SessionMemory, VisibilitySurvives) {
  Visibility visibility;
  visibility.memory_model = MemoryModel::Pso;
  visibility.strong = {{7, Order::Release}};
  visibility.identities = {{kNoThread, 0, 0}, {0, 0, 0}, {1, 0, 2}};
  visibility.shared = {{0x1000, 4}, {0x2000, 8}};
  visibility.clock_matters = true;
  SessionMemory session(SessionOptions{});
  session.teach(visibility);
  const Visibility back = session.visibility();
  EXPECT_EQ(back.memory_model, MemoryModel::Pso);
  ASSERT_EQ(back.strong.size(), 1u);
  EXPECT_EQ(back.strong[0].site, 7u);
  EXPECT_EQ(back.strong[0].order, Order::Release);
  ASSERT_EQ(back.identities.size(), 3u);
  EXPECT_EQ(back.identities[2].parent, 1);
  EXPECT_EQ(back.identities[2].fork_index, 2);
  EXPECT_EQ(back.shared, visibility.shared);
  EXPECT_TRUE(back.clock_matters);
  EXPECT_EQ(back.extent(), session.extent());
}

}  // namespace
}  // namespace plait
