#include "run/run_view.h"

#include <algorithm>

namespace plait {

std::vector<Failure> RunView::failures() const {
  if (reply->status != RunStatus::Failed) return {};
  std::vector<Failure> all{reply->failure};
  all.insert(all.end(), more_failures.begin(), more_failures.end());
  return all;
}

bool RunView::shows(FailureKind kind) const {
  const std::vector<Failure> all = failures();
  return std::any_of(all.begin(), all.end(), [&](const Failure& failure) { return failure.kind == kind; });
}

}  // namespace plait
