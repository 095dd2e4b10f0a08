// Expressions over what threads have read, and over inputs (docs/exploration.md, "Paths"). A symbol is the node of the
// operation that has read it, or an input. An expression has a number, and larger ones are made of smaller ones; 0 is
// none.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/labels.h"

namespace plait {

using NodeId = u32;

/// Of expressions over nothing but inputs: any thread can have them.
inline constexpr ThreadId kEveryThread = kNoThread - 1;

class Expressions {
 public:
  struct Term {
    LabelOp op = LabelOp::None;
    u8 width = 0;
    u8 from = 0;
    ThreadId thread = 0;  // whose symbols it is about; kNoThread: of several threads; kEveryThread: inputs only
    bool has_inputs = false;
    NodeId last = 0;       // the last node that has read something of it; 0: it is about inputs only
    u32 operand[3] = {};   // 0: the constant
    u64 constant[3] = {};  // of a symbol: its node; of an input: InputVariable::id
  };

  u32 symbol(NodeId node, ThreadId thread, u8 width);
  u32 input(u64 id, u8 width);
  /// Is some expression about inputs?
  bool has_inputs() const { return has_inputs_; }
  /// Adds the inputs that an expression is about to `ids`.
  void add_inputs(u32 number, std::vector<u64>& ids) const;
  u32 add(Term term);
  const Term& term(u32 number) const { return terms_[number]; }
  u32 size() const { return static_cast<u32>(terms_.size()); }
  /// What must be known before its last symbol is read, so that it can be evaluated then: the largest parts that do not
  /// depend on that symbol. Added to `parts`.
  void add_parts_before(u32 number, std::vector<u32>& parts) const;
  /// The parts that do depend on it, operands first, itself last.
  std::vector<u32> parts_behind(u32 number) const;

 private:
  std::vector<Term> terms_{Term()};
  bool has_inputs_ = false;
  std::unordered_map<u64, std::vector<u32>> numbers_;  // by hash
};

/// Evaluates expressions when their last symbol is read; remembers how.
class Evaluator {
 public:
  explicit Evaluator(const Expressions& expressions) : expressions_(expressions) {}

  /// Expressions::parts_behind().
  const std::vector<u32>& parts_of(u32 number) {
    if (number >= parts_.size()) parts_.resize(expressions_.size());
    std::vector<u32>& parts = parts_[number];
    if (parts.empty()) parts = expressions_.parts_behind(number);
    return parts;
  }
  /// `read`: the symbol's value. `known(part)`: of parts that do not depend on it.
  template <class Known>
  u64 value(u32 number, u64 read, Known&& known) {
    if (values_.size() < expressions_.size()) values_.resize(expressions_.size());
    const std::vector<u32>& parts = parts_of(number);
    const NodeId last = expressions_.term(number).last;
    for (const u32 part : parts) {
      const Expressions::Term& term = expressions_.term(part);
      const auto operand = [&](int i) {
        if (!term.operand[i]) return term.constant[i];
        return expressions_.term(term.operand[i]).last == last ? values_[term.operand[i]] : known(term.operand[i]);
      };
      values_[part] = term.op == LabelOp::Read
                          ? read
                          : labels::evaluate(term.op, term.width, term.from, operand(0), operand(1), operand(2));
    }
    return values_[number];
  }

 private:
  const Expressions& expressions_;
  std::vector<std::vector<u32>> parts_;
  std::vector<u64> values_;
};

/// Labels of one trace as expressions.
class LabelReader {
 public:
  LabelReader(const LabelTables& tables, Expressions& expressions) : tables_(tables), expressions_(expressions) {}

  /// The operation at that position of the thread is this node.
  void name(ThreadId thread, u32 position, NodeId node) { nodes_[place(thread, position)] = node; }
  /// Its number; 0: it is made of something that the trace does not show.
  u32 read(u64 label);
  u64 value(u64 label) const;

 private:
  static u64 place(ThreadId thread, u32 position) { return static_cast<u64>(thread) << 32 | position; }
  const LabelNode* find(u64 label) const;
  bool make(const LabelNode& node);

  const LabelTables& tables_;
  Expressions& expressions_;
  std::unordered_map<u64, NodeId> nodes_;
  std::unordered_map<u64, u32> known_;  // by label
};

}  // namespace plait
