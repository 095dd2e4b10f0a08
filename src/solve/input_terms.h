// Expressions over the program's inputs, as a search over paths meets them (docs/exploration.md, "Paths"): in memory,
// in what threads have read, in conditions. Equal ones have one number, so a state can hold numbers.
//
// What make() returns may be simpler than what it was asked for: constants are folded, bytes of a value that come
// together again are that value, and a condition and its opposite know each other.
#pragma once
#include <unordered_map>
#include <vector>

#include "trace/labels.h"

namespace plait::solve {

/// A constant, or an expression.
struct InputValue {
  u64 value = 0;
  u32 term = 0;  // 0: the constant
  bool operator==(const InputValue&) const = default;
};

struct InputTerm {
  LabelOp op = LabelOp::None;
  u8 width = 0;  // bits
  u8 from = 0;   // of the operands, as in LabelNode
  u32 operand[3] = {};
  u64 constant[3] = {};  // where the operand is 0; of an input: its index
  u64 inputs = 0;        // which it is about: bit index % 64
};

/// A value for each input, by its index.
using InputModel = std::vector<u64>;

class InputTerms {
 public:
  /// The index of an input.
  u32 add(const InputVariable& input);
  /// Of one that was added; else inputs().
  u32 index_of(u64 id) const {
    const auto found = index_.find(id);
    return found == index_.end() ? inputs() : found->second;
  }
  const InputVariable& input(u32 index) const { return inputs_[index]; }
  u32 inputs() const { return static_cast<u32>(inputs_.size()); }
  static u64 bit_of(u32 index) { return u64{1} << (index % 64); }
  /// The input as an expression.
  InputValue symbol(u32 index);

  /// `width`: of the result; `from`: of the operands (of arithmetic, the same).
  InputValue make(LabelOp op, unsigned width, unsigned from, InputValue a, InputValue b = {}, InputValue c = {});
  /// Of one bit.
  InputValue equal(InputValue a, u64 constant, unsigned width);
  InputValue opposite(InputValue bit);
  InputValue extract(InputValue a, unsigned from, unsigned shift, unsigned width);

  const InputTerm& term(u32 number) const { return terms_[number]; }
  u32 size() const { return static_cast<u32>(terms_.size()); }
  u64 inputs_of(InputValue value) const { return value.term ? terms_[value.term].inputs : 0; }
  /// Its value when inputs have these; those that the model lacks have their default.
  u64 evaluate(u32 number, const InputModel& model);
  u64 default_of(u32 index) const { return inputs_[index].low & labels::mask(inputs_[index].width); }
  bool is_in_range(u32 index, u64 value) const;

 private:
  InputValue simpler(LabelOp op, unsigned width, unsigned from, InputValue a, InputValue b, InputValue c);
  InputValue simpler_extract(InputValue a, unsigned from, unsigned shift, unsigned width);
  InputValue simpler_concat(unsigned width, unsigned from, InputValue low, InputValue high);
  InputValue simpler_arithmetic(LabelOp op, unsigned width, InputValue a, InputValue b);
  InputValue simpler_comparison(LabelOp op, unsigned from, InputValue a, InputValue b);
  InputValue equal_to_constant(unsigned from, InputValue a, u64 constant);
  InputValue intern(LabelOp op, unsigned width, unsigned from, InputValue a, InputValue b, InputValue c);
  InputValue operand(const InputTerm& term, int i) const { return {term.constant[i], term.operand[i]}; }

  std::vector<InputVariable> inputs_;
  std::unordered_map<u64, u32> index_;  // by InputVariable::id
  std::vector<InputTerm> terms_{InputTerm()};
  std::unordered_map<u64, std::vector<u32>> numbers_;  // by hash
  // evaluate():
  std::vector<u64> values_;
  std::vector<u32> evaluated_;  // in which call
  u32 call_ = 0;
};

}  // namespace plait::solve
