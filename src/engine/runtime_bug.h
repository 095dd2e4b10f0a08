// Runs of other runtimes as reports know them: events without operations, told in the runtime's own words.
#pragma once
#include "exogenous/messages.h"
#include "report/bug.h"

namespace plait {

/// Kinds that are not known are assertions.
FailureKind kind_of(const std::string& name);
Place place_of(const std::string& file, u32 line);

Bug make_runtime_bug(const exogenous::Execution& run, const exogenous::Catalogue& catalogue, const BugRuntime& runtime,
                     u32 max_events);

}  // namespace plait
