// mcr and cumulative over a runtime of others whose events carry values (exogenous/machine_runner.h).
#pragma once
#include "engine/check_options.h"
#include "exogenous/findings.h"

namespace plait {

struct ValueExploration {
  const CheckOptions& options;
  const exogenous::RuntimeOptions& runtime;
  exogenous::Catalogue& catalogue;
  Control& control;
  exogenous::ExecutionSink& sink;  // sees failing runs
  std::vector<std::string>& obstacles;
};

/// True when nothing is left to explore. `first` has said what events do. Throws Error.
bool explore_values(const ValueExploration&, exogenous::Runtime& first);

}  // namespace plait
