// The product where inputs are symbols: values in memory and in threads are expressions over inputs, a state also has
// the condition that its path has put on them, and what goes on by an expression goes every way that the condition
// leaves open.
#include <algorithm>
#include <cstring>

#include "explore/product.h"
#include "machine/memory_step.h"

namespace plait {

using solve::InputSolver;
using solve::InputValue;

namespace {

constexpr size_t kNewSides = 8;  // that are asked for at once

void write_u32(u8* at, u32 value) { std::memcpy(at, &value, 4); }

unsigned bits(const Node& node) { return 8u * node.size; }

}  // namespace

/// An expression that needs no reads.
InputValue Product::of_inputs(u32 number) {
  if (const auto found = input_terms_.find(number); found != input_terms_.end()) return {0, found->second};
  const InputValue value = evaluate(number, {}, [](u32) { return InputValue(); });
  if (value.term) input_terms_.emplace(number, value.term);
  return value;
}

template <class Known>
InputValue Product::evaluate(u32 number, InputValue read, Known&& known) {
  const Expressions& all = knowledge_.expressions();
  const NodeId last = all.term(number).last;
  const std::vector<u32> parts = evaluator_.parts_of(number);  // a copy: known() may evaluate others
  std::vector<InputValue> values(parts.size());
  const auto value_of_part = [&](u32 part) {
    return values[static_cast<size_t>(std::lower_bound(parts.begin(), parts.end(), part) - parts.begin())];
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    const Expressions::Term& term = all.term(parts[i]);
    if (term.op == LabelOp::Read) {
      values[i] = read;
      continue;
    }
    if (term.op == LabelOp::Input) {
      values[i] = input_symbol(term.constant[0]);
      continue;
    }
    InputValue operand[3];
    for (int k = 0; k < 3; ++k) {
      operand[k] = {term.constant[k], 0};
      if (!term.operand[k]) continue;
      const NodeId its = all.term(term.operand[k]).last;
      operand[k] = its == last ? value_of_part(term.operand[k])
                   : its == 0  ? of_inputs(term.operand[k])
                               : known(term.operand[k]);
    }
    values[i] = conditions_->terms().make(term.op, term.width, term.from, operand[0], operand[1], operand[2]);
  }
  return values.back();
}

void Product::move_values(u8* state, ThreadId thread, NodeId from, InputValue value, NodeId to) {
  const std::vector<u32>&before = layout_.alive(from), &after = layout_.alive(to);
  kept_values_.clear();
  for (const u32 term : after) {
    const bool is_new = knowledge_.expressions().term(term).last == from;
    const auto known = [&](u32 part) { return value_at(state, from, part); };
    kept_values_.push_back(is_new ? evaluate(term, value, known) : known(term));
  }
  while (kept_values_.size() < before.size()) kept_values_.emplace_back();
  for (u32 i = 0; i < kept_values_.size(); ++i) {
    const u64 number = kept_values_[i].term ? 0 : kept_values_[i].value;
    std::memcpy(state + layout_.values_offset(thread) + 8 * i, &number, 8);
    write_u32(state + layout_.value_terms_offset(thread) + 4 * i, kept_values_[i].term);
  }
}

bool Product::is_possible(u32 condition, InputValue bit) {
  const InputSolver::Answer answer = conditions_->can_be(condition, bit);
  if (answer == InputSolver::Answer::Unknown) give_up("the solver has given up");
  return answer == InputSolver::Answer::Yes;
}

void Product::demand(u8* state, InputValue bit) {
  if (bit.term == 0) return;
  const u32 before = read_u32(state + layout_.condition_offset());
  write_u32(state + layout_.condition_offset(), conditions_->with(before, bit));
  if (all_conditions_) all_conditions_->push_back(bit.term);
}

u64 Product::take_side(u8* state, InputValue value, unsigned width, const Sides& possible) {
  u64 side = 0;
  if (next_side_ < sides_.size()) {
    side = sides_[next_side_];
  } else {
    if (possible.empty()) {
      give_up("no side of a decision is possible");
      return 0;
    }
    for (size_t i = possible.size(); i-- > 1;) {
      other_sides_.push_back(sides_);
      other_sides_.back().push_back(possible[i]);
    }
    side = possible[0];
    sides_.push_back(side);
  }
  ++next_side_;
  demand(state, conditions_->terms().equal(value, side, width));
  return side;
}

/// What it can be: sides that runs have shown, and some that none has.
Product::Sides Product::sides_of(u32 condition, NodeId at, InputValue value, unsigned width) {
  solve::InputTerms& terms = conditions_->terms();
  Sides found;
  std::vector<u32> others;
  for (u32 edge = knowledge_.node(at).first_edge; edge; edge = knowledge_.edge(edge).next) {
    const u64 side = knowledge_.edge(edge).result;
    const InputValue is = terms.equal(value, side, width), is_not = terms.opposite(is);
    if (is_possible(condition, is)) found.push_back(side);
    if (is_not.term)
      others.push_back(is_not.term);
    else if (is_not.value == 0)
      return found;  // always that one
  }
  for (size_t fresh = 0; fresh < kNewSides; ++fresh) {
    solve::InputModel model;
    const InputSolver::Answer answer = conditions_->can_be(condition, others, terms.inputs_of(value), model);
    if (answer == InputSolver::Answer::Unknown) give_up("the solver has given up");
    if (answer != InputSolver::Answer::Yes) break;
    const u64 side = terms.evaluate(value.term, model);
    found.push_back(side);
    const InputValue is_not = terms.opposite(terms.equal(value, side, width));
    if (!is_not.term) break;
    others.push_back(is_not.term);
  }
  return found;
}

u64 Product::decide(u8* state, NodeId at, InputValue value, unsigned width) {
  if (value.term == 0) return value.value;
  Sides possible;
  if (next_side_ >= sides_.size()) possible = sides_of(read_u32(state + layout_.condition_offset()), at, value, width);
  return take_side(state, value, width, possible);
}

u64 Product::decide_bit(u8* state, InputValue bit) {
  if (bit.term == 0) return bit.value;
  Sides possible;
  const u32 condition = read_u32(state + layout_.condition_offset());
  if (next_side_ >= sides_.size())
    for (const u64 side : {u64{0}, u64{1}})
      if (is_possible(condition, side ? bit : conditions_->terms().opposite(bit))) possible.push_back(side);
  return take_side(state, bit, 1, possible);
}

bool Product::has_terms(const u8* state, u32 offset, u32 size) const {
  if (!conditions_) return false;
  for (u32 i = 0; i < size; ++i)
    if (read_u32(state + layout_.byte_term_offset(offset + i))) return true;
  return false;
}

void Product::set_constant(u8* state, u32 offset, u32 size) const {
  if (conditions_) std::memset(state + layout_.byte_term_offset(offset), 0, 4 * size);
}

InputValue Product::bytes_at(const u8* state, u32 offset, u32 size) {
  InputValue value;
  if (!has_terms(state, offset, size)) {
    std::memcpy(&value.value, state + offset, size);
    return value;
  }
  for (u32 i = 0; i < size; ++i) {
    const InputValue byte{state[offset + i], read_u32(state + layout_.byte_term_offset(offset + i))};
    value = i == 0 ? byte : conditions_->terms().make(LabelOp::Concat, 8 * (i + 1), 8 * i, value, byte);
  }
  return value;
}

void Product::set_bytes(u8* state, u32 offset, u32 size, InputValue value) const {
  for (u32 i = 0; i < size; ++i) {
    const InputValue byte = conditions_->terms().extract(value, 8 * size, 8 * i, 8);
    state[offset + i] = byte.term ? u8{0} : static_cast<u8>(byte.value);
    write_u32(state + layout_.byte_term_offset(offset + i), byte.term);
  }
}

InputValue Product::updated(const Node& node, InputValue old, InputValue operand) {
  solve::InputTerms& terms = conditions_->terms();
  const unsigned width = bits(node);
  const auto kind = static_cast<RmwKind>(node.detail);
  if (!old.term && !operand.term) return {machine::rmw<u64>(kind, node.size, old.value, operand.value), 0};
  const auto make = [&](LabelOp op) { return terms.make(op, width, width, old, operand); };
  const auto larger = [&](LabelOp less, InputValue a, InputValue b) {
    return terms.make(LabelOp::Select, width, width, terms.make(less, 1, width, old, operand), a, b);
  };
  switch (kind) {
    case RmwKind::Exchange: return operand;
    case RmwKind::Add: return make(LabelOp::Add);
    case RmwKind::Sub: return make(LabelOp::Sub);
    case RmwKind::And: return make(LabelOp::And);
    case RmwKind::Or: return make(LabelOp::Or);
    case RmwKind::Xor: return make(LabelOp::Xor);
    case RmwKind::Nand: return terms.make(LabelOp::Xor, width, width, make(LabelOp::And), {labels::mask(width), 0});
    case RmwKind::Max: return larger(LabelOp::Slt, operand, old);
    case RmwKind::Min: return larger(LabelOp::Slt, old, operand);
    case RmwKind::UMax: return larger(LabelOp::Ult, operand, old);
    case RmwKind::UMin: return larger(LabelOp::Ult, old, operand);
    default: give_up("an atomic operation without an expression depends on inputs"); return {};
  }
}

bool Product::perform_on_inputs(u8* state, const Node& node, StepResult& result) {
  solve::InputTerms& terms = conditions_->terms();
  const u32 offset = layout_.offset_of(node.range);
  InputValue old;
  if (machine::is_read(node.op)) {
    if (buffered(state, node.thread, 0)) {
      // What waits in buffers has values.
      if (has_terms(state, offset, node.size))
        old = load_past_buffer(state, node);
      else
        old.value = static_cast<u64>(load(state, node));
    } else {
      old = bytes_at(state, offset, node.size);
    }
    // What nobody follows has values.
    if (old.term && !node.is_symbol) old = {decide(state, result.node, old, bits(node)), 0};
  }
  const InputValue operand =
      node.operand_term ? value_at(state, result.node, node.operand_term) : InputValue{node.operand, 0};
  InputValue left = operand;
  bool writes = node.op == Op::Store || node.op == Op::Rmw;
  result.value = old.value;
  result.term = old.term;
  if (node.op == Op::Rmw) left = updated(node, old, operand);
  if (node.op == Op::Cas) {
    const InputValue expected =
        node.extra_term ? value_at(state, result.node, node.extra_term) : InputValue{node.extra, 0};
    const InputValue same = terms.make(LabelOp::Eq, 1, bits(node), old, expected);
    writes = decide_bit(state, same) != 0;
    result.expected = expected.value;
    // For those who ask whether it has succeeded.
    if (old.term || expected.term) result.expected = writes ? result.value : ~result.value;
  }
  if (!writes) return true;
  if (left.term) {
    for (const u32 number : layout_.objects_in(node.range))
      if (machine::Object& stored = object(state, number); stored.life == machine::life::kDestroyed) stored = {};
    set_bytes(state, offset, node.size, left);
  } else {
    store(state, node, left.value);
  }
  return true;
}

/// Some bytes of memory are expressions, and some may come from the thread's buffer.
InputValue Product::load_past_buffer(const u8* state, const Node& node) {
  const u32 offset = layout_.offset_of(node.range);
  InputValue value;
  for (u32 i = 0; i < node.size; ++i) {
    InputValue byte{state[offset + i], read_u32(state + layout_.byte_term_offset(offset + i))};
    if (const std::optional<u8> own = own_byte(state, node.thread, node.location + i)) byte = {*own, 0};
    value = i == 0 ? byte : conditions_->terms().make(LabelOp::Concat, 8 * (i + 1), 8 * i, value, byte);
  }
  return value;
}

InputValue Product::input_symbol(u64 id) {
  const u32 index = conditions_->terms().index_of(id);
  if (index < conditions_->terms().inputs()) return conditions_->terms().symbol(index);
  give_up("an input has no name");
  return {};
}

u64 Product::inputs_behind(NodeId at) {
  const auto [found, fresh] = inputs_behind_.try_emplace(at, 0);
  if (fresh)
    for (const u64 id : layout_.inputs_ahead(at)) {
      const u32 index = conditions_->terms().index_of(id);
      found->second |= solve::InputTerms::bit_of(index);
    }
  return found->second;
}

u64 Product::inputs_ahead(const u8* state) {
  u64 inputs = 0;
  for (u32 byte = layout_.cells_begin(); byte < layout_.cells_end(); ++byte)
    if (const u32 term = read_u32(state + layout_.byte_term_offset(byte)))
      inputs |= conditions_->terms().term(term).inputs;
  for (u32 t = 0; t < layout_.threads(); ++t) {
    const u32 at = cursor(state, t);
    if (at == kNoNode || at == kEnded) continue;
    if (!layout_.has_node(at)) return ~u64{0};
    for (u32 i = 0; i < layout_.alive(at).size(); ++i)
      if (const u32 term = read_u32(state + layout_.value_terms_offset(t) + 4 * i))
        inputs |= conditions_->terms().term(term).inputs;
    inputs |= inputs_behind(at);
  }
  return inputs;
}

void Product::settle_conditions(u8* state) {
  if (!conditions_) return;
  const u32 condition = read_u32(state + layout_.condition_offset());
  if (condition) write_u32(state + layout_.condition_offset(), conditions_->about(condition, inputs_ahead(state)));
}

}  // namespace plait
