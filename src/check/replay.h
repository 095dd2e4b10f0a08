// Running one schedule again in a fresh process: how bugs are confirmed before they are reported, and `plait replay`.
#pragma once
#include <string>
#include <vector>

#include "check/findings.h"

namespace plait {

/// A run with its whole trace: it owns what a RunView borrows.
struct RecordedRun {
  Schedule schedule;
  Reply reply;
  std::vector<Event> events;
  std::string output;
  std::string account = "";  // request_flag::kAccount
};

/// Of requests that run a schedule once more.
inline constexpr u8 kReplayFlags = request_flag::kAllEvents | request_flag::kAgain | request_flag::kAccount;

/// Runs the schedule. With the witness of a bug the run must fail; see same_failure.
/// When `stop` becomes true it is given up: the status is then NotRun.
RecordedRun run_schedule(Runner&, const Schedule& schedule, Tail tail = Tail::First,
                         const std::atomic<bool>* stop = nullptr);

/// A fresh runner runs the witness's schedule. Throws what it throws.
RecordedRun replay_fresh(Runners&, const Witness&, const std::atomic<bool>* stop = nullptr);

/// Is this the failure that was found?
bool same_failure(const RecordedRun&, const FoundBug& expected);
/// `run` is another failure of that bug's schedule, and as good as the one that was found if it happens again in one
/// more fresh process: what threads share is known from its start there, and a variable is dead by then, say.
bool fails_otherwise(Runners&, const FoundBug&, const RecordedRun& run, const KindSet& checked);

}  // namespace plait
