// Every operation of expressions at every width: the evaluator, the processor and Z3 have the same result.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

#include "../fewer.h"
#include "solve/input_classes.h"

namespace plait::solve {
namespace {

struct Case {
  LabelOp op;
  unsigned width, from;
  u64 a, b, c;
};

/// Numbers of exactly so many bits, by the compiler and the processor. Nothing that is undefined.
template <unsigned kBits>
u64 native(LabelOp op, u64 first, u64 second) {
  using Unsigned = unsigned _BitInt(kBits);
  using Signed = _BitInt(kBits < 2 ? 2 : kBits);  // there is no signed number of one bit
  const auto a = static_cast<Unsigned>(first), b = static_cast<Unsigned>(second);
  const auto sa = static_cast<Signed>(labels::as_signed(first, kBits)),
             sb = static_cast<Signed>(labels::as_signed(second, kBits));
  switch (op) {
    case LabelOp::Add: return static_cast<u64>(static_cast<Unsigned>(a + b));
    case LabelOp::Sub: return static_cast<u64>(static_cast<Unsigned>(a - b));
    case LabelOp::Mul: return static_cast<u64>(static_cast<Unsigned>(a * b));
    case LabelOp::UDiv: return static_cast<u64>(static_cast<Unsigned>(a / b));
    case LabelOp::URem: return static_cast<u64>(static_cast<Unsigned>(a % b));
    case LabelOp::SDiv: return static_cast<u64>(static_cast<Unsigned>(sa / sb));
    case LabelOp::SRem: return static_cast<u64>(static_cast<Unsigned>(sa % sb));
    case LabelOp::Shl: return static_cast<u64>(static_cast<Unsigned>(a << second));
    case LabelOp::LShr: return static_cast<u64>(static_cast<Unsigned>(a >> second));
    case LabelOp::AShr: return static_cast<u64>(static_cast<Unsigned>(sa >> second));
    case LabelOp::And: return static_cast<u64>(static_cast<Unsigned>(a & b));
    case LabelOp::Or: return static_cast<u64>(static_cast<Unsigned>(a | b));
    case LabelOp::Xor: return static_cast<u64>(static_cast<Unsigned>(a ^ b));
    case LabelOp::Eq: return a == b;
    case LabelOp::Ne: return a != b;
    case LabelOp::Ult: return a < b;
    case LabelOp::Ule: return a <= b;
    case LabelOp::Slt: return sa < sb;
    default: return sa <= sb;
  }
}

using Native = u64 (*)(LabelOp, u64, u64);
template <size_t... kIndex>
constexpr std::array<Native, 64> natives(std::index_sequence<kIndex...>) {
  return {native<kIndex + 1>...};
}
constexpr auto kNatives = natives(std::make_index_sequence<64>());

bool is_binary(LabelOp op) { return op >= LabelOp::Add && op <= LabelOp::Sle; }
bool is_division(LabelOp op) { return op >= LabelOp::UDiv && op <= LabelOp::SRem; }
bool is_shift(LabelOp op) { return op >= LabelOp::Shl && op <= LabelOp::AShr; }

/// Does C++ say what it is?
bool is_defined(const Case& one) {
  if (is_shift(one.op)) return one.b < one.from;
  if (!is_division(one.op)) return true;
  const bool overflows = one.b == labels::mask(one.from) && one.a == u64{1} << (one.from - 1);
  const bool is_signed = one.op == LabelOp::SDiv || one.op == LabelOp::SRem;
  return one.b != 0 && !(is_signed && (overflows || one.from == 1));
}

class Cases {
 public:
  u64 number(unsigned width) {
    const u64 mask = labels::mask(width);
    switch (random_() % 4) {
      case 0: return (random_() % 5 - 2) & mask;
      case 1: return (u64{1} << random_() % width) & mask;
      case 2: return ((u64{1} << (width - 1)) + random_() % 3 - 1) & mask;
      default: return random_() & mask;
    }
  }
  Case of(LabelOp op, unsigned width) {
    Case one{op, width, width, number(width), number(width), 0};
    if (is_shift(op) && random_() % 2) one.b %= width;
    switch (op) {
      case LabelOp::Trunc:
      case LabelOp::Extract:
        one.from = width + static_cast<unsigned>(random_() % (65 - width));
        one.a = number(one.from);
        one.b = op == LabelOp::Extract ? random_() % (one.from - width + 1) : 0;
        break;
      case LabelOp::ZExt:
      case LabelOp::SExt:
      case LabelOp::Concat:
        one.from = 1 + static_cast<unsigned>(random_() % (width - 1));
        one.a = number(one.from);
        one.b = op == LabelOp::Concat ? number(width - one.from) : 0;
        break;
      case LabelOp::Select:
        one.a = random_() % 2;
        one.b = number(width);
        one.c = number(width);
        break;
      default:
        if (labels::is_comparison(op)) one.width = 1;
    }
    return one;
  }

 private:
  std::mt19937_64 random_{7};
};

u64 evaluated(const Case& one) { return labels::evaluate(one.op, one.width, one.from, one.a, one.b, one.c); }

/// Not an operation of the processor, but of what it has: shifts and masks.
u64 by_shifts(const Case& one) {
  const u64 mask = labels::mask(one.width);
  switch (one.op) {
    case LabelOp::Trunc: return one.a & mask;
    case LabelOp::ZExt: return one.a;
    case LabelOp::SExt: {
      const bool negative = one.a >> (one.from - 1) & 1;
      return (negative ? one.a | ~labels::mask(one.from) : one.a) & mask;
    }
    case LabelOp::Extract: return one.a >> one.b & mask;
    case LabelOp::Concat: return one.a + (one.b << one.from);
    default: return one.a ? one.b : one.c;
  }
}

/// Inputs that have one value each: is there another result than this one?
NextInput ask_solver(const Case& one, u64 result) {
  RoundRecord record;
  LabelNode root{};
  root.label = 9;
  root.op = one.op;
  root.width = static_cast<u8>(one.width);
  root.from_width = static_cast<u8>(one.from);
  root.value = result;
  const u64 values[] = {one.a, one.b, one.c};
  unsigned widths[] = {one.from, one.from, 0};
  if (one.op == LabelOp::Select) widths[0] = 1, widths[1] = widths[2] = one.width;
  if (one.op == LabelOp::Concat) widths[1] = one.width - one.from;
  if (!is_binary(one.op) && one.op != LabelOp::Select && one.op != LabelOp::Concat) {
    widths[1] = 0;
    root.constant[1] = one.op == LabelOp::Extract ? one.b : 0;
  }
  for (u64 i = 0; i < 3; ++i) {
    if (widths[i] == 0) continue;
    InputVariable input{};
    input.id = 11 + i;
    input.width = static_cast<u8>(widths[i]);
    input.low = input.high = input.value = values[i];
    input.has_range = input.has_value = input.ready = 1;
    LabelNode node{};
    node.label = 1 + i;
    node.op = LabelOp::Input;
    node.width = node.from_width = input.width;
    node.constant[0] = input.id;
    node.value = values[i];
    record.inputs.push_back(input);
    record.nodes.push_back(node);
    root.operand[i] = node.label;
  }
  record.nodes.push_back(root);
  InputClasses classes;
  EXPECT_EQ(classes.add(record, {{root.label, 0, result, 0, 0, 0}}), "");
  InputValues values_found;
  return classes.next(values_found, 10);
}

void compare(const Case& one, bool with_solver) {
  const u64 result = evaluated(one);
  if (!is_binary(one.op))
    ASSERT_EQ(result, by_shifts(one));
  else if (is_defined(one))
    ASSERT_EQ(result, kNatives[one.from - 1](one.op, one.a, one.b));
  if (with_solver) ASSERT_EQ(ask_solver(one, result), NextInput::None);
}

/// Z3 takes a while for each.
bool is_asked_for(unsigned width) {
  for (const unsigned one : {1, 2, 3, 8, 13, 16, 31, 32, 33, 64})
    if (width == one) return true;
  return false;
}

TEST(Expressions, EveryOperationAtEveryWidth) {
  Cases cases;
  for (u8 op = static_cast<u8>(LabelOp::Add); op <= kLastLabelOp; ++op)
    for (unsigned width = 1; width <= 64; ++width) {
      const auto kind = static_cast<LabelOp>(op);
      if (width == 1 && (kind == LabelOp::ZExt || kind == LabelOp::SExt || kind == LabelOp::Concat)) continue;
      for (int i = 0; i < 50; ++i) {
        const Case one = cases.of(kind, width);
        SCOPED_TRACE(testing::Message() << "operation " << unsigned{op} << " of " << width << " bits, " << one.a << ", "
                                        << one.b << ", " << one.c << " (" << one.from << ")");
        ASSERT_NO_FATAL_FAILURE(compare(one, i == 0 && is_asked_for(width) && (kFewer == 1 || width == 33)));
      }
    }
}

}  // namespace
}  // namespace plait::solve
