// plait worker, plait cluster (docs/cluster.md).
#include <fmt/core.h>
#include <unistd.h>

#include <csignal>

#include "base/error.h"
#include "cli/check_output.h"
#include "cluster/overview.h"
#include "report/bug_json.h"

namespace plait {

int run_worker(const cluster::WorkerCommand& command) { return cluster::run_workers(command); }

int run_cluster(const ClusterCommand& command) {
  cluster::Redis redis{cluster::RedisUrl(command.url)};
  redis.require();
  try {
    cluster::Overview before = cluster::look_at(redis);
    if (command.format == "json") {
      print_out(json_text(cluster::overview_to_json(before), 2) + "\n");
      return kExitSafe;
    }
    const bool live = isatty(1);
    do {
      sleep(1);
      const cluster::Overview now = cluster::look_at(redis);
      print_out((live ? "\033[H\033[2J" : "") + cluster::overview_text(now, before));
      before = now;
    } while (live);
  } catch (const cluster::RedisLost& error) {
    throw Error(kExitUsage, fmt::format("lost Redis at {}", error.what()));
  } catch (const cluster::RedisRefused& error) {
    throw Error(kExitUsage, fmt::format("Redis at {} refuses: {}", redis.url().shown, error.what()));
  }
  return kExitSafe;
}

}  // namespace plait
