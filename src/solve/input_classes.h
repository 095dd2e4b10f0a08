// Classes of inputs (docs/inputs.md). A round of runs has fixed inputs; its class are all inputs for which the program
// behaves alike: what the round has decided by keeps its value, and what was equal in shared memory stays equal. The
// next round gets inputs outside of all classes so far, until there are none.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/labels.h"

namespace plait::solve {

using InputValues =
    std::unordered_map<u64, u64>;  // by InputVariable::id; who is missing is 0 or the least of its range

/// What the runs of a round have left in the tables.
struct RoundRecord {
  std::vector<LabelNode> nodes;  // operands first
  std::vector<SharedValue> shared;
  std::vector<InputVariable> inputs;  // that were taken, with their values
};
RoundRecord record_of(const LabelTables& tables);

/// Two expressions, or an expression and a constant, that must be equal.
struct Equality {
  u64 label = 0;
  u64 other = 0;  // label; 0: the constant
  u64 constant = 0;
  // Only these bits of each; width 0: all.
  unsigned shift = 0, other_shift = 0, width = 0;
};

/// Expressions of all rounds.
class Expressions {
 public:
  /// Empty, or what does not fit.
  std::string add(const RoundRecord& record);
  const LabelNode* find(u64 label) const;
  const std::vector<LabelNode>& nodes() const { return nodes_; }  // operands first
  const std::unordered_map<u64, InputVariable>& inputs() const { return inputs_; }
  /// The values of all of them, in the order of nodes().
  std::vector<u64> evaluate(const InputValues& values) const;
  u32 index_of(u64 label) const { return index_.at(label); }

 private:
  std::vector<LabelNode> nodes_;
  std::unordered_map<u64, u32> index_;
  std::unordered_map<u64, InputVariable> inputs_;
};

/// Shared memory held the same value by different expressions: these must stay equal. `ranges`: bytes [begin, end) that
/// threads share, in order.
std::vector<Equality> coincidences(const std::vector<SharedValue>& shared,
                                   const std::vector<std::pair<u64, u64>>& ranges);

/// What a round has decided, as equalities.
std::vector<Equality> decisions(const RoundRecord& record);

enum class NextInput { Found, None, Unknown };

class InputClasses {
 public:
  InputClasses();
  ~InputClasses();
  /// Adds a round's class. Empty, or why the tables cannot be trusted.
  std::string add(const RoundRecord& record, const std::vector<Equality>& conditions);
  /// Values outside of all classes. Unknown: the solver has given up.
  NextInput next(InputValues& values, double seconds);
  size_t count() const;
  const Expressions& expressions() const;

 private:
  struct State;
  State& state();
  std::unique_ptr<State> state_;  // made when a class is added: starting Z3 takes most of the time of a small check
};

/// Do they all hold under these values?
bool holds(const Expressions& expressions, const std::vector<u64>& values, const std::vector<Equality>& conditions);

}  // namespace plait::solve
