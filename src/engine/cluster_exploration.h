// Exploration on a cluster: whose workers do what, and what is left to this machine.
#pragma once
#include <functional>
#include <optional>

#include "check/findings.h"
#include "engine/check_options.h"
#include "host/session_memory.h"
#include "report/result.h"
#include "run/program.h"

namespace plait {

struct ClusterExploration {
  const CheckOptions& options;
  const Program& program;
  std::shared_ptr<SessionMemory> session;
  Control& control;
  Findings& findings;
  Schedules& taught;
  std::function<void(Exploration&)> prepare;
  std::optional<ReportedCluster>& account;
};

/// True if it is complete. Throws Error when the cluster cannot be used.
bool explore_on_cluster(const ClusterExploration& all);

}  // namespace plait
