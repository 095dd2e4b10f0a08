// The inputs of a program whose paths are followed: what searches ask about them, and the values that runs get.
#pragma once
#include "explore/explorer.h"
#include "solve/path_conditions.h"

namespace plait {

class PathInputs {
 public:
  explicit PathInputs(Exploration& exploration) : exploration_(exploration) {
    conditions_.solver().set_seconds(exploration.options.solver_seconds);
  }
  solve::PathConditions& conditions() { return conditions_; }

  /// Runs from now on have these. Only while nobody runs.
  void choose(const std::vector<InputVariable>& values) {
    exploration_.inputs->choose(values);
    exploration_.races.clear();  // of runs with other inputs
  }
  /// A run has ended: are there inputs that nobody knew of?
  void note_taken() {
    for (const InputVariable& input : exploration_.inputs->taken()) conditions_.terms().add(input);
  }

 private:
  Exploration& exploration_;
  solve::PathConditions conditions_;
};

}  // namespace plait
