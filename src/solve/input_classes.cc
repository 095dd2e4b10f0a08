#include "solve/input_classes.h"

#include <fmt/core.h>
#include <z3++.h>

#include <optional>

namespace plait::solve {

RoundRecord record_of(const LabelTables& tables) {
  RoundRecord record;
  for (u32 i = 0; i < std::min(tables.node_count, kLabelNodes); ++i)
    if (const u32 slot = tables.node_slot[i]; slot && tables.node[slot - 1].ready)
      record.nodes.push_back(tables.node[slot - 1]);
  for (u32 i = 0; i < std::min(tables.shared_count, kSharedValues); ++i)
    if (const u32 slot = tables.shared_slot[i]; slot && tables.shared[slot - 1].ready)
      record.shared.push_back(tables.shared[slot - 1]);
  if (tables.input_count)
    for (const InputVariable& input : tables.input)
      if (input.id && input.ready) record.inputs.push_back(input);
  return record;
}

const LabelNode* Expressions::find(u64 label) const {
  auto found = index_.find(label);
  return found == index_.end() ? nullptr : &nodes_[found->second];
}

std::string Expressions::add(const RoundRecord& record) {
  for (const InputVariable& input : record.inputs) inputs_.try_emplace(input.id, input);
  for (const LabelNode& node : record.nodes) {
    if (static_cast<u8>(node.op) > kLastLabelOp || node.width == 0 || node.width > 64) return "a damaged expression";
    for (u64 operand : node.operand)
      if (operand && !index_.contains(operand)) return "an expression without its operand";
    if (node.op == LabelOp::Input && !inputs_.contains(node.constant[0])) return "an unknown input";
    const auto [known, added] = index_.try_emplace(node.label, static_cast<u32>(nodes_.size()));
    if (added) {
      nodes_.push_back(node);
      continue;
    }
    const LabelNode& before = nodes_[known->second];
    bool same = before.op == node.op && before.width == node.width && before.from_width == node.from_width;
    for (int i = 0; i < 3; ++i) same &= before.operand[i] == node.operand[i] && before.constant[i] == node.constant[i];
    if (!same) return "two expressions with one hash";
  }
  return "";
}

std::vector<u64> Expressions::evaluate(const InputValues& values) const {
  std::vector<u64> result(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const LabelNode& node = nodes_[i];
    if (node.op == LabelOp::Input) {
      auto given = values.find(node.constant[0]);
      const u64 value = given == values.end() ? inputs_.at(node.constant[0]).low : given->second;
      result[i] = value & labels::mask(node.width);
      continue;
    }
    u64 operand[3];
    for (int k = 0; k < 3; ++k) operand[k] = node.operand[k] ? result[index_.at(node.operand[k])] : node.constant[k];
    result[i] = labels::evaluate(node.op, node.width, node.from_width, operand[0], operand[1], operand[2]);
  }
  return result;
}

bool holds(const Expressions& expressions, const std::vector<u64>& values, const std::vector<Equality>& conditions) {
  for (const Equality& one : conditions) {
    const u64 bits = one.width ? labels::mask(one.width) : ~u64{0};
    const u64 left = values[expressions.index_of(one.label)] >> one.shift & bits;
    const u64 right =
        one.other ? values[expressions.index_of(one.other)] >> one.other_shift & bits : one.constant & bits;
    if (left != right) return false;
  }
  return true;
}

namespace {

uint64_t number(u64 value) { return value; }

z3::expr as_bit(const z3::expr& condition) {
  z3::context& c = condition.ctx();
  return z3::ite(condition, c.bv_val(1, 1), c.bv_val(0, 1));
}

z3::expr binary(const LabelNode& node, const z3::expr& a, const z3::expr& b) {
  switch (node.op) {
    case LabelOp::Add: return a + b;
    case LabelOp::Sub: return a - b;
    case LabelOp::Mul: return a * b;
    case LabelOp::UDiv: return z3::udiv(a, b);
    case LabelOp::SDiv: return a / b;
    case LabelOp::URem: return z3::urem(a, b);
    case LabelOp::SRem: return z3::srem(a, b);
    case LabelOp::Shl: return z3::shl(a, b);
    case LabelOp::LShr: return z3::lshr(a, b);
    case LabelOp::AShr: return z3::ashr(a, b);
    case LabelOp::And: return a & b;
    case LabelOp::Or: return a | b;
    case LabelOp::Xor: return a ^ b;
    case LabelOp::Eq: return as_bit(a == b);
    case LabelOp::Ne: return as_bit(a != b);
    case LabelOp::Ult: return as_bit(z3::ult(a, b));
    case LabelOp::Ule: return as_bit(z3::ule(a, b));
    case LabelOp::Slt: return as_bit(a < b);
    default: return as_bit(a <= b);
  }
}

}  // namespace

struct InputClasses::State {
  z3::context context;
  z3::solver solver{context};
  Expressions expressions;
  std::vector<std::vector<Equality>> classes;
  std::vector<z3::expr> terms;                  // as expressions.nodes()
  std::unordered_map<u64, z3::expr> variables;  // by InputVariable::id

  z3::expr variable(const InputVariable& input) {
    auto known = variables.find(input.id);
    if (known != variables.end()) return known->second;
    z3::expr made = context.bv_const(fmt::format("i{:x}", input.id).c_str(), input.width);
    variables.emplace(input.id, made);
    if (input.has_range) {
      const z3::expr low = context.bv_val(number(input.low), input.width);
      const z3::expr high = context.bv_val(number(input.high), input.width);
      solver.add(input.is_signed ? low <= made && made <= high : z3::ule(low, made) && z3::ule(made, high));
    }
    return made;
  }

  z3::expr operand(const LabelNode& node, int i, unsigned width) {
    return node.operand[i] ? terms[expressions.index_of(node.operand[i])]
                           : context.bv_val(number(node.constant[i]), width);
  }

  z3::expr term(const LabelNode& node) {
    const unsigned from = node.from_width, width = node.width;
    switch (node.op) {
      case LabelOp::Input: return variable(expressions.inputs().at(node.constant[0]));
      case LabelOp::Trunc: return operand(node, 0, from).extract(width - 1, 0);
      case LabelOp::ZExt: return z3::zext(operand(node, 0, from), width - from);
      case LabelOp::SExt: return z3::sext(operand(node, 0, from), width - from);
      case LabelOp::Extract: {
        const auto shift = static_cast<unsigned>(node.constant[1]);
        return operand(node, 0, from).extract(shift + width - 1, shift);
      }
      case LabelOp::Concat: return z3::concat(operand(node, 1, width - from), operand(node, 0, from));
      case LabelOp::Select:
        return z3::ite(operand(node, 0, 1) == context.bv_val(1, 1), operand(node, 1, width), operand(node, 2, width));
      default: return binary(node, operand(node, 0, from), operand(node, 1, from));
    }
  }

  z3::expr part(u64 label, unsigned shift, unsigned width) {
    z3::expr whole = terms[expressions.index_of(label)];
    return width == 0 || width == whole.get_sort().bv_size() ? whole : whole.extract(shift + width - 1, shift);
  }

  z3::expr equality(const Equality& one) {
    const z3::expr left = part(one.label, one.shift, one.width);
    return one.other ? left == part(one.other, one.other_shift, one.width)
                     : left == context.bv_val(number(one.constant), left.get_sort().bv_size());
  }
};

InputClasses::InputClasses() = default;
InputClasses::~InputClasses() = default;
size_t InputClasses::count() const { return state_ ? state_->classes.size() : 0; }

const Expressions& InputClasses::expressions() const {
  static const Expressions none;
  return state_ ? state_->expressions : none;
}

InputClasses::State& InputClasses::state() {
  if (!state_) state_ = std::make_unique<State>();
  return *state_;
}

std::string InputClasses::add(const RoundRecord& record, const std::vector<Equality>& conditions) {
  State& state = this->state();
  if (std::string problem = state.expressions.add(record); !problem.empty()) return problem;
  InputValues values;
  for (const InputVariable& input : record.inputs)
    if (input.has_value) values[input.id] = input.value;
  const std::vector<u64> found = state.expressions.evaluate(values);
  for (const LabelNode& node : record.nodes)
    if (found[state.expressions.index_of(node.label)] != node.value) return "an expression with another value";
  if (!holds(state.expressions, found, conditions)) return "inputs that are not of their own class";
  for (size_t i = state.terms.size(); i < state.expressions.nodes().size(); ++i)
    state.terms.push_back(state.term(state.expressions.nodes()[i]));
  z3::expr_vector others(state.context);
  for (const Equality& one : conditions) others.push_back(!state.equality(one));
  state.solver.add(z3::mk_or(others));
  state.classes.push_back(conditions);
  return "";
}

NextInput InputClasses::next(InputValues& values, double seconds) {
  State& state = this->state();
  z3::params limits(state.context);
  limits.set("timeout", static_cast<unsigned>(std::min(seconds * 1000 + 1, 4e9)));
  state.solver.set(limits);
  const z3::check_result answer = state.solver.check();
  if (answer == z3::unsat) return NextInput::None;
  if (answer != z3::sat) return NextInput::Unknown;
  const z3::model model = state.solver.get_model();
  values.clear();
  for (const auto& [id, variable] : state.variables) {
    const z3::expr value = model.eval(variable, false);
    if (value.is_numeral()) values[id] = value.get_numeral_uint64();
  }
  // Z3's arithmetic and ours must be of one mind.
  const std::vector<u64> found = state.expressions.evaluate(values);
  for (const std::vector<Equality>& conditions : state.classes)
    if (holds(state.expressions, found, conditions))
      throw std::logic_error("the solver and the evaluator of expressions disagree");
  return NextInput::Found;
}

}  // namespace plait::solve
