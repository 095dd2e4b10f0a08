#include "solve/input_terms.h"

#include <algorithm>
#include <utility>

namespace plait::solve {
namespace {

constexpr InputValue kNothing{~u64{0}, ~u32{0}};  // no simpler one

InputValue constant(u64 value, unsigned width) { return {value & labels::mask(width), 0}; }
bool is_constant(InputValue v) { return v.term == 0; }

bool is_commutative(LabelOp op) {
  return op == LabelOp::Add || op == LabelOp::Mul || op == LabelOp::And || op == LabelOp::Or || op == LabelOp::Xor ||
         op == LabelOp::Eq || op == LabelOp::Ne;
}

}  // namespace

u32 InputTerms::add(const InputVariable& input) {
  const auto [at, fresh] = index_.try_emplace(input.id, inputs());
  if (fresh) inputs_.push_back(input);
  return at->second;
}

bool InputTerms::is_in_range(u32 index, u64 value) const {
  const InputVariable& input = inputs_[index];
  if (value != (value & labels::mask(input.width))) return false;
  if (!input.has_range) return true;
  if (!input.is_signed) return input.low <= value && value <= input.high;
  const auto number = [&](u64 v) { return labels::as_signed(v, input.width); };
  return number(input.low) <= number(value) && number(value) <= number(input.high);
}

InputValue InputTerms::symbol(u32 index) {
  const unsigned width = inputs_[index].width;
  return intern(LabelOp::Input, width, width, {index, 0}, {}, {});
}

InputValue InputTerms::intern(LabelOp op, unsigned width, unsigned from, InputValue a, InputValue b, InputValue c) {
  InputTerm term;
  term.op = op;
  term.width = static_cast<u8>(width);
  term.from = static_cast<u8>(from);
  const InputValue values[3] = {a, b, c};
  u64 hash = labels::mixed(static_cast<u64>(op) | static_cast<u64>(width) << 8 | static_cast<u64>(from) << 16, 17);
  for (int i = 0; i < 3; ++i) {
    term.operand[i] = values[i].term;
    term.constant[i] = values[i].term ? 0 : values[i].value;
    term.inputs |= inputs_of(values[i]);
    hash = labels::mixed(labels::mixed(hash, term.operand[i]), term.constant[i]);
  }
  if (op == LabelOp::Input) term.inputs = bit_of(static_cast<u32>(a.value));
  std::vector<u32>& alike = numbers_[hash];
  for (const u32 number : alike) {
    const InputTerm& other = terms_[number];
    if (other.op == op && other.width == width && other.from == from &&
        std::ranges::equal(other.operand, term.operand) && std::ranges::equal(other.constant, term.constant))
      return {0, number};
  }
  alike.push_back(size());
  terms_.push_back(term);
  return {0, size() - 1};
}

InputValue InputTerms::make(LabelOp op, unsigned width, unsigned from, InputValue a, InputValue b, InputValue c) {
  if (is_constant(a) && is_constant(b) && is_constant(c))
    return constant(labels::evaluate(op, width, from, a.value, b.value, c.value), width);
  if (is_commutative(op) && is_constant(a)) std::swap(a, b);
  if (is_commutative(op) && !is_constant(b) && b.term < a.term) std::swap(a, b);
  const InputValue found = simpler(op, width, from, a, b, c);
  return found == kNothing ? intern(op, width, from, a, b, c) : found;
}

InputValue InputTerms::simpler(LabelOp op, unsigned width, unsigned from, InputValue a, InputValue b, InputValue c) {
  switch (op) {
    case LabelOp::Trunc: return extract(a, from, 0, width);
    case LabelOp::Extract: return simpler_extract(a, from, static_cast<unsigned>(b.value), width);
    case LabelOp::ZExt:
      if (const InputTerm inner = terms_[a.term]; inner.op == LabelOp::ZExt)
        return make(LabelOp::ZExt, width, inner.from, operand(inner, 0));
      return width == from ? a : kNothing;
    case LabelOp::SExt: return width == from ? a : kNothing;
    case LabelOp::Concat: return simpler_concat(width, from, a, b);
    case LabelOp::Select:
      if (is_constant(a)) return a.value ? b : c;
      return b == c ? b : kNothing;
    default: break;
  }
  return labels::is_comparison(op) ? simpler_comparison(op, from, a, b) : simpler_arithmetic(op, width, a, b);
}

InputValue InputTerms::extract(InputValue a, unsigned from, unsigned shift, unsigned width) {
  return make(LabelOp::Extract, width, from, a, {shift, 0});
}

InputValue InputTerms::simpler_extract(InputValue a, unsigned from, unsigned shift, unsigned width) {
  if (shift == 0 && width == from) return a;
  const InputTerm inner = terms_[a.term];
  const InputValue low = operand(inner, 0), high = operand(inner, 1);
  switch (inner.op) {
    case LabelOp::Extract: return extract(low, inner.from, shift + static_cast<unsigned>(high.value), width);
    case LabelOp::Concat:
      if (shift + width <= inner.from) return extract(low, inner.from, shift, width);
      if (shift >= inner.from) return extract(high, inner.width - inner.from, shift - inner.from, width);
      return kNothing;
    case LabelOp::ZExt:
      if (shift >= inner.from) return constant(0, width);
      [[fallthrough]];
    case LabelOp::SExt: return shift + width <= inner.from ? extract(low, inner.from, shift, width) : kNothing;
    default: return kNothing;
  }
}

InputValue InputTerms::simpler_concat(unsigned width, unsigned from, InputValue low, InputValue high) {
  if (is_constant(high)) return high.value == 0 ? make(LabelOp::ZExt, width, from, low) : kNothing;
  if (is_constant(low)) return kNothing;
  // Two pieces of one value, side by side. (The lower one may look otherwise: all of a smaller value.)
  const InputTerm other = terms_[high.term];
  if (other.op != LabelOp::Extract || other.constant[1] < from) return kNothing;
  const InputValue whole = operand(other, 0);
  const auto begin = static_cast<unsigned>(other.constant[1]) - from;
  return extract(whole, other.from, begin, from) == low ? extract(whole, other.from, begin, width) : kNothing;
}

InputValue InputTerms::simpler_arithmetic(LabelOp op, unsigned width, InputValue a, InputValue b) {
  const u64 all = labels::mask(width);
  if (a == b) switch (op) {
      case LabelOp::Sub:
      case LabelOp::Xor: return constant(0, width);
      case LabelOp::And:
      case LabelOp::Or: return a;
      default: return kNothing;
    }
  if (!is_constant(b)) return kNothing;
  const InputTerm inner = terms_[a.term];
  switch (op) {
    case LabelOp::Sub: return make(LabelOp::Add, width, width, a, constant(0 - b.value, width));
    case LabelOp::Add:
      if (b.value == 0) return a;
      if (inner.op == LabelOp::Add && inner.operand[0] && !inner.operand[1])
        return make(LabelOp::Add, width, width, operand(inner, 0), constant(inner.constant[1] + b.value, width));
      return kNothing;
    case LabelOp::Mul: return b.value == 0 ? constant(0, width) : b.value == 1 ? a : kNothing;
    case LabelOp::And: return b.value == 0 ? constant(0, width) : b.value == all ? a : kNothing;
    case LabelOp::Or: return b.value == 0 ? a : b.value == all ? constant(all, width) : kNothing;
    case LabelOp::Xor:
      if (b.value == 0) return a;
      return width == 1 ? opposite(a) : kNothing;
    case LabelOp::Shl:
    case LabelOp::LShr:
    case LabelOp::AShr: return b.value == 0 ? a : kNothing;
    default: return kNothing;
  }
}

InputValue InputTerms::equal_to_constant(unsigned from, InputValue a, u64 value) {
  const InputTerm inner = terms_[a.term];
  const InputValue low = operand(inner, 0), high = operand(inner, 1);
  if (from == 1) return value ? a : opposite(a);
  switch (inner.op) {
    case LabelOp::Add: return is_constant(high) ? equal(low, value - high.value, from) : kNothing;
    case LabelOp::Xor: return is_constant(high) ? equal(low, value ^ high.value, from) : kNothing;
    case LabelOp::ZExt: return value > labels::mask(inner.from) ? constant(0, 1) : equal(low, value, inner.from);
    case LabelOp::SExt: {
      const u64 narrow = value & labels::mask(inner.from);
      const u64 again = static_cast<u64>(labels::as_signed(narrow, inner.from)) & labels::mask(from);
      return again != value ? constant(0, 1) : equal(low, narrow, inner.from);
    }
    default: return kNothing;
  }
}

InputValue InputTerms::simpler_comparison(LabelOp op, unsigned from, InputValue a, InputValue b) {
  if (a == b) return constant(op == LabelOp::Eq || op == LabelOp::Ule || op == LabelOp::Sle, 1);
  if (op == LabelOp::Eq && is_constant(b)) return equal_to_constant(from, a, b.value);
  if (op == LabelOp::Ne && is_constant(b)) {
    const InputValue same = equal_to_constant(from, a, b.value);
    return same == kNothing ? kNothing : opposite(same);
  }
  if (op == LabelOp::Ult && is_constant(b) && b.value == 0) return constant(0, 1);
  if (op == LabelOp::Ule && is_constant(a) && a.value == 0) return constant(1, 1);
  return kNothing;
}

InputValue InputTerms::equal(InputValue a, u64 value, unsigned width) {
  return make(LabelOp::Eq, 1, width, a, constant(value, width));
}

InputValue InputTerms::opposite(InputValue bit) {
  if (is_constant(bit)) return {bit.value ^ 1, 0};
  const InputTerm inner = terms_[bit.term];
  const InputValue a = operand(inner, 0), b = operand(inner, 1);
  switch (inner.op) {
    case LabelOp::Eq: return make(LabelOp::Ne, 1, inner.from, a, b);
    case LabelOp::Ne: return intern(LabelOp::Eq, 1, inner.from, a, b, {});
    case LabelOp::Ult: return make(LabelOp::Ule, 1, inner.from, b, a);
    case LabelOp::Ule: return make(LabelOp::Ult, 1, inner.from, b, a);
    case LabelOp::Slt: return make(LabelOp::Sle, 1, inner.from, b, a);
    case LabelOp::Sle: return make(LabelOp::Slt, 1, inner.from, b, a);
    case LabelOp::Xor:
      if (is_constant(b) && b.value == 1) return a;
      [[fallthrough]];
    default: return intern(LabelOp::Xor, 1, 1, bit, {1, 0}, {});
  }
}

u64 InputTerms::evaluate(u32 number, const InputModel& model) {
  values_.resize(terms_.size());
  evaluated_.resize(terms_.size(), 0);
  ++call_;
  std::vector<u32> todo{number};
  while (!todo.empty()) {
    const u32 at = todo.back();
    const InputTerm& term = terms_[at];
    bool ready = true;
    for (const u32 part : term.operand)
      if (part && evaluated_[part] != call_) {
        todo.push_back(part);
        ready = false;
      }
    if (!ready) continue;
    todo.pop_back();
    const auto value = [&](int i) { return term.operand[i] ? values_[term.operand[i]] : term.constant[i]; };
    if (term.op == LabelOp::Input)
      values_[at] =
          term.constant[0] < model.size() ? model[term.constant[0]] : default_of(static_cast<u32>(term.constant[0]));
    else
      values_[at] = labels::evaluate(term.op, term.width, term.from, value(0), value(1), value(2));
    evaluated_[at] = call_;
  }
  return values_[number];
}

}  // namespace plait::solve
