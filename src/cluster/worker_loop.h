// `plait worker`: takes tasks from a Redis server and does them, until it is told to end. One process for each core.
#pragma once
#include <string>
#include <vector>

namespace plait::cluster {

struct WorkerCommand {
  std::string url;
  std::string key_file;
  std::vector<std::string> allow;  // hashes of programs; empty: all
  std::string cache;               // empty: the standard one
  unsigned jobs = 0;               // 0: all cores
  double lease = 10;               // seconds after which a task counts as lost
  bool quiet = false;
};

/// Returns the exit code. Throws Error (usage) when it cannot begin.
int run_workers(const WorkerCommand& command);

}  // namespace plait::cluster
