// Which events of a trace a reader wants to see: the last ones that have to do with the failure.
#pragma once
#include <vector>

#include "report/bug.h"

namespace plait {

/// Indices into bug.events, in order, at most `most`; under TSO and PSO a few more. Relevant are: what the failing (or
/// blocked) threads did, and what others did to the locations that those touched.
std::vector<size_t> relevant_events(const Bug&, size_t most);

}  // namespace plait
