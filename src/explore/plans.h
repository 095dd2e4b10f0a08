// Which searches find whatever is unknown and whatever is wrong? Each asks about some threads only (knowledge/cone.h).
#pragma once
#include <vector>

#include "explore/decider.h"

namespace plait {

struct Plan {
  Cone cone;
  Decider::Options options;
};

/// `merges`: the graphs have states in common. `exit_matters`: an end of the program that cuts threads off is to be
/// found.
std::vector<Plan> make_plans(const Behaviour& knowledge, const Horizon& horizon, bool merges, bool exit_matters);

}  // namespace plait
