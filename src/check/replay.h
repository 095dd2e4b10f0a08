// Running one schedule again in a fresh process: how bugs are confirmed before they are reported, and `plait replay`.
#pragma once
#include <string>
#include <vector>

#include "check/findings.h"

namespace plait {

/// A run with its whole trace, copied out of the channel.
struct RecordedRun {
  std::vector<Choice> schedule;
  Reply reply;
  std::vector<Event> events;
  std::string output;
};

/// Runs the schedule on `worker`. With the witness of a bug the run must fail; see same_failure.
/// When `stop` becomes true it is given up: the status is then NotRun.
RecordedRun run_schedule(Worker& worker, const std::vector<Choice>& schedule, Tail tail = Tail::First,
                         const std::atomic<bool>* stop = nullptr);

/// A fresh process runs the witness's schedule. Throws Error like Worker.
RecordedRun replay_fresh(const Program&, SessionMemory&, const WorkerOptions&, const Witness&, const std::atomic<bool>* stop = nullptr);

/// Is this the failure that was found?
bool same_failure(const RecordedRun&, const FoundBug& expected);

}  // namespace plait
