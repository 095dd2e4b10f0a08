// One attempt to learn all behaviour, over values or over paths.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "explore/explorer.h"

namespace plait {

class Cumulative;

/// Graphs branch where results differ.
Attempt follow_values(Exploration&);
/// Reads are symbols: graphs branch where threads do. `make`: who does it. `obstacle`: of earlier attempts; not empty:
/// that cannot be done for this program, so values are followed.
Attempt attempt_paths(Exploration&, std::string& obstacle,
                      const std::function<std::unique_ptr<Cumulative>(Exploration&)>& make);

}  // namespace plait
