// One attempt to learn all behaviour, over values or over paths.
#pragma once
#include <string>

#include "explore/explorer.h"

namespace plait {

/// Graphs branch where results differ.
Attempt follow_values(Exploration&);
/// Reads are symbols: graphs branch where threads do. `obstacle`: why that cannot be done for this program.
Attempt follow_paths(Exploration&, std::string& obstacle);

}  // namespace plait
