// Many checks at once on a cluster: each is a task for one worker. Results come in the order of the checks.
#pragma once
#include <functional>

#include "cli/options.h"
#include "report/bug.h"
#include "report/result.h"

namespace plait {

struct FleetCheck {
  CheckOptions options;
  BugProgram target;
};

/// `done` sees each result, in order, as soon as those before it are there. Throws the first Error of a check.
void check_with_fleet(std::vector<FleetCheck>& checks, const std::function<void(size_t, CheckResult&&)>& done);

}  // namespace plait
