#include "exogenous/explorer.h"

#include <fmt/core.h>

#include "base/error.h"

namespace plait::exogenous {

bool Search::accept(const Execution& run, bool may_fail, const std::string& reason) {
  Counters& c = control.counters;
  ++c.executions;
  c.events += run.events.size();
  if (run.status == EndStatus::Diverged) {
    if (!may_fail || run.at + 1 < run.seed.size())
      throw Error(
          kExitUsage,
          fmt::format("the relations are wrong, or the runtime does not repeat itself: by them '{}' is possible "
                      "as event {} of a run ({}), but the runtime says{} {}",
                      catalogue.symbols.text(run.seed[run.at]), run.at, reason, run.message.empty() ? "" : ":",
                      run.message.empty() ? "that it is not" : run.message));
    ++c.blocked;
    return false;
  }
  if (run.status == EndStatus::Limit) ++c.limited;
  sink.finished(run);
  return true;
}

}  // namespace plait::exogenous
