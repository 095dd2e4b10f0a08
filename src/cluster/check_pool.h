// A check on a cluster: the side that has the work.
#pragma once
#include "check/findings.h"
#include "cluster/redis.h"
#include "cluster/remote_runner.h"
#include "cluster/task_runner.h"
#include "explore/registry.h"

namespace plait::cluster {

struct ClusterOptions {
  std::string url;
  std::string key_file;
  double patience = 60;  // seconds that Redis may be away
  bool quiet = false;
};

class ClusterCheck {
 public:
  /// Throws Error (usage) when the server cannot be used, or all workers that are there are of another version.
  ClusterCheck(const ClusterOptions& options, CheckTerms terms, const Program& program);

  std::unique_ptr<Runners> runners(SessionMemory& session, bool go_on);
  /// All attempts, by parts. True when nothing is left to explore.
  bool explore_parts(Exploration& exploration, Findings& findings, SessionMemory& session);
  /// The whole exploration by one worker. What it has learned is added to `taught` if it is not complete.
  bool explore_whole(Control& control, Findings& findings, SessionMemory& session, Schedules& taught);

  /// Workers that take tasks of this check.
  u32 workers();
  TaskAccount account() const { return dispatcher_->account(); }
  /// All workers refuse the check, and nobody has done any of it.
  bool is_refused() const { return refused_ && account().finished == 0; }
  /// For the progress line: "3 workers, 12 tasks in flight".
  std::string progress();

 private:
  struct Fleet;
  Fleet look_at_workers();
  void require_workers();
  Attempt attempt_parts(Exploration& exploration, Findings& findings, SessionMemory& session);

  ClusterOptions options_;
  const std::string name_;
  const ExplorerInfo& explorer_;
  Redis redis_;
  std::mutex mutex_;  // of redis_ and what follows
  std::chrono::steady_clock::time_point looked_{};
  u32 workers_ = 0;
  std::atomic<bool> refused_{false};
  std::unique_ptr<Dispatcher> dispatcher_;
};

}  // namespace plait::cluster
