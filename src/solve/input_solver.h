// Can conditions on inputs hold together? What is cheap comes first: what was asked before, values that other questions
// had as answers, values that the conditions name, all values of small ranges. Then Z3, with bit-vectors.
#pragma once
#include <map>
#include <memory>

#include "solve/input_terms.h"

namespace plait::solve {

class InputSolver {
 public:
  explicit InputSolver(InputTerms& terms);
  ~InputSolver();

  enum class Answer : u8 { Yes, No, Unknown };
  /// `conditions`: expressions of one bit that are to be true. Yes: `model` has values of the inputs in them.
  Answer solve(const std::vector<u32>& conditions, InputModel& model);
  /// How long a query of Z3 may take.
  void set_seconds(double seconds) { seconds_ = seconds; }

  struct Counts {
    u64 queries = 0, by_cache = 0, by_values = 0, by_solver = 0, unknown = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Backend;
  struct Known {
    Answer answer;
    InputModel model;
  };
  bool holds(const std::vector<u32>& conditions, const InputModel& model);
  /// Of these inputs (by index); true: the answer is certain.
  bool try_values(const std::vector<u32>& conditions, const std::vector<u32>& inputs, Known& known);
  bool try_all(const std::vector<u32>& conditions, const std::vector<u32>& inputs, Known& known);
  Known ask(const std::vector<u32>& conditions, const std::vector<u32>& inputs);
  void collect(const std::vector<u32>& conditions, std::vector<u32>& inputs, std::vector<u64>& constants) const;

  InputTerms& terms_;
  double seconds_ = 10;
  Counts counts_;
  std::map<std::vector<u32>, Known> known_;
  std::vector<InputModel> recent_;
  size_t next_recent_ = 0;
  std::unique_ptr<Backend> backend_;  // starting Z3 takes most of the time of a small check
};

}  // namespace plait::solve
