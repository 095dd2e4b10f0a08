// Who works on what: what `plait cluster` shows.
#pragma once
#include <string>
#include <vector>

#include "cluster/redis.h"
#include "report/json.h"
#include "trace/types.h"

namespace plait::cluster {

struct WorkerState {
  std::string name, compatibility, check, what, program;
  u64 tasks = 0, runs = 0;
  std::vector<std::string> refused;
};
struct CheckState {
  std::string name, what, program, explorer;
  u64 waiting = 0, taken = 0;  // tasks
};
struct Overview {
  std::vector<WorkerState> workers;
  std::vector<CheckState> checks;
  double when = 0;  // seconds, by the server's clock
};

Overview look_at(Redis& redis);
Json overview_to_json(const Overview& now);
/// `before`: for runs per second.
std::string overview_text(const Overview& now, const Overview& before);

}  // namespace plait::cluster
