// What paths demand of the inputs: sets of conditions, which states hold by number; 0 is none. All conditions of a set
// can hold together.
#pragma once
#include "solve/input_solver.h"

namespace plait::solve {

class PathConditions {
 public:
  InputTerms& terms() { return terms_; }
  InputSolver& solver() { return solver_; }

  /// Can it be true as well? (a bit)
  InputSolver::Answer can_be(u32 set, InputValue bit);
  /// The same of several bits at once; Yes: `model` has values of these inputs, and of those in the bits.
  InputSolver::Answer can_be(u32 set, const std::vector<u32>& bits, u64 inputs, InputModel& model);
  /// The set with one more, which can be true.
  u32 with(u32 set, InputValue bit);
  /// Those that have to do with these inputs (InputTerms::bit_of): the others can hold whatever these are.
  u32 about(u32 set, u64 inputs);
  /// Values under which all of these hold; the defaults, as far as nothing speaks against them.
  InputSolver::Answer find(const std::vector<u32>& conditions, InputModel& model);
  const std::vector<u32>& of(u32 set) const { return sets_[set]; }

 private:
  u32 intern(std::vector<u32>&& conditions);

  InputTerms terms_;
  InputSolver solver_{terms_};
  std::vector<std::vector<u32>> sets_{{}};  // sorted
  std::map<std::vector<u32>, u32> numbers_{{{}, 0}};
  std::map<std::pair<u32, u64>, u32> abouts_;
};

}  // namespace plait::solve
