// Questions about all states, or about complete runs, that are answered once everything is known. False: the
// exploration is to stop.
#pragma once
#include "explore/path_inputs.h"

namespace plait {

/// Can the program end from every state? A question about everybody, and only where somebody can go round for ever.
bool look_for_livelocks(Exploration&, const Behaviour& knowledge);

/// Classes, races, outputs: as far as they are asked for. `inputs`: if they are symbols; `obstacle`: why something that
/// depends on them cannot be answered.
bool answer_about_complete_runs(Exploration&, const Behaviour& knowledge, PathInputs* inputs, std::string& obstacle);

}  // namespace plait
