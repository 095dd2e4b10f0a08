// What came back from one run.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "trace/session.h"

namespace plait {

/// Borrowed from the runner: valid until its next batch.
struct RunView {
  const Reply* reply;
  std::span<const Event> events;
  std::string_view output;
  std::span<const Failure> more_failures = {};  // request_flag::kGoOn: of other threads, behind the reply's own
  bool outgrown = false;  // more is visible than the runner was given: the trace, or what its schedule was made from,
                          // may miss something
  std::string_view account = {};  // request_flag::kAccount

  /// How the run failed: one entry, or several with request_flag::kGoOn. Empty if it did not.
  std::vector<Failure> failures() const;
  bool shows(FailureKind kind) const;
};

}  // namespace plait
