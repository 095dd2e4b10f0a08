// Expressions: the evaluator, native arithmetic and Z3 are of one mind. Classes: what they cover, and what is left.
#include "solve/input_classes.h"

#include <gtest/gtest.h>

#include <random>

#include "../fewer.h"

namespace plait::solve {
namespace {

InputVariable variable(u64 id, u8 width) {
  InputVariable input{};
  input.id = id;
  input.width = width;
  input.ready = 1;
  return input;
}

LabelNode input_node(u64 label, const InputVariable& input) {
  LabelNode node{};
  node.label = label;
  node.op = LabelOp::Input;
  node.width = node.from_width = input.width;
  node.constant[0] = input.id;
  return node;
}

template <class Signed, class Unsigned>
u64 native(LabelOp op, u64 a, u64 b) {
  const auto x = static_cast<Unsigned>(a), y = static_cast<Unsigned>(b);
  const auto sx = static_cast<Signed>(a), sy = static_cast<Signed>(b);
  const unsigned shift = static_cast<unsigned>(b);
  switch (op) {
    case LabelOp::Add: return static_cast<Unsigned>(x + y);
    case LabelOp::Sub: return static_cast<Unsigned>(x - y);
    case LabelOp::Mul: return static_cast<Unsigned>(u64{x} * u64{y});
    case LabelOp::UDiv: return x / y;
    case LabelOp::URem: return x % y;
    case LabelOp::SDiv: return static_cast<Unsigned>(sx / sy);
    case LabelOp::SRem: return static_cast<Unsigned>(sx % sy);
    case LabelOp::Shl: return static_cast<Unsigned>(u64{x} << shift);
    case LabelOp::LShr: return static_cast<Unsigned>(x >> shift);
    case LabelOp::AShr: return static_cast<Unsigned>(sx >> shift);
    case LabelOp::And: return x & y;
    case LabelOp::Or: return x | y;
    case LabelOp::Xor: return x ^ y;
    case LabelOp::Eq: return x == y;
    case LabelOp::Ne: return x != y;
    case LabelOp::Ult: return x < y;
    case LabelOp::Ule: return x <= y;
    case LabelOp::Slt: return sx < sy;
    case LabelOp::Sle: return sx <= sy;
    default: return 0;
  }
}

u64 native(LabelOp op, unsigned width, u64 a, u64 b) {
  switch (width) {
    case 8: return native<int8_t, uint8_t>(op, a, b);
    case 16: return native<int16_t, uint16_t>(op, a, b);
    case 32: return native<int32_t, uint32_t>(op, a, b);
    default: return native<int64_t, uint64_t>(op, a, b);
  }
}

bool is_division(LabelOp op) { return op >= LabelOp::UDiv && op <= LabelOp::SRem; }
bool is_shift(LabelOp op) { return op >= LabelOp::Shl && op <= LabelOp::AShr; }

TEST(Expressions, EvaluatorAgreesWithTheProcessor) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const unsigned width = 8u << random() % 4;
    const auto op = static_cast<LabelOp>(static_cast<u64>(LabelOp::Add) + random() % 19);
    const u64 mask = labels::mask(width);
    u64 a = random() & mask, b = random() & mask;
    if (random() % 4 == 0) a = (random() % 5 - 2) & mask;
    if (random() % 4 == 0) b = (random() % 5 - 2) & mask;
    if (is_shift(op)) b %= width;
    const bool overflows = b == mask && a == u64{1} << (width - 1);
    if (is_division(op) && (b == 0 || overflows)) continue;
    const unsigned to = labels::is_comparison(op) ? 1 : width;
    ASSERT_EQ(labels::evaluate(op, to, width, a, b, 0), native(op, width, a, b))
        << static_cast<int>(op) << " " << width << " " << a << " " << b;
  }
}

/// A random expression over two inputs; its root is the last node.
class Tree {
 public:
  explicit Tree(u64 seed) : random_(seed) {
    const u64 most = random_() % 4 ? 12 : 64;  // products of long numbers take Z3 long
    record.inputs = {variable(11, static_cast<u8>(1 + random_() % most)),
                     variable(12, static_cast<u8>(1 + random_() % most))};
    record.nodes = {input_node(1, record.inputs[0]), input_node(2, record.inputs[1])};
    const size_t size = 3 + random_() % 12;
    while (record.nodes.size() < size) grow();
    evaluate({});
  }

  void evaluate(const InputValues& values) {
    for (InputVariable& input : record.inputs) {
      auto given = values.find(input.id);
      input.has_value = given != values.end();
      input.value = input.has_value ? given->second : 0;
    }
    Expressions expressions;
    ASSERT_EQ(expressions.add(record), "");
    const std::vector<u64> found = expressions.evaluate(values);
    for (size_t i = 0; i < record.nodes.size(); ++i) record.nodes[i].value = found[i];
  }

  RoundRecord record;

 private:
  const LabelNode& any() { return record.nodes[random_() % record.nodes.size()]; }

  /// Another operand of this width: an expression, if there is one, or a constant.
  void operand(LabelNode& node, int i, unsigned width) {
    for (int tries = 0; tries < 4; ++tries)
      if (const LabelNode& other = any(); other.width == width) {
        node.operand[i] = other.label;
        return;
      }
    node.constant[i] = random_() % 3 ? random_() % 4 : random_();
    node.constant[i] &= labels::mask(width);
  }

  void grow() {
    LabelNode node{};
    const LabelNode a = any();
    node.label = record.nodes.size() + 1;
    node.op = static_cast<LabelOp>(static_cast<u64>(LabelOp::Add) + random_() % 25);
    node.operand[0] = a.label;
    node.from_width = node.width = a.width;
    switch (node.op) {
      case LabelOp::Trunc: node.width = static_cast<u8>(1 + random_() % a.width); break;
      case LabelOp::ZExt:
      case LabelOp::SExt: node.width = static_cast<u8>(a.width + random_() % (65 - a.width)); break;
      case LabelOp::Extract:
        node.constant[1] = random_() % a.width;
        node.width = static_cast<u8>(1 + random_() % (a.width - node.constant[1]));
        break;
      case LabelOp::Concat:
        if (a.width > 60) return;
        node.width = static_cast<u8>(a.width + 1 + random_() % (64 - a.width));
        operand(node, 1, node.width - a.width);
        break;
      case LabelOp::Select:
        if (a.width != 1) return;
        node.width = static_cast<u8>(1 + random_() % 64);
        operand(node, 1, node.width);
        operand(node, 2, node.width);
        break;
      default:
        operand(node, 1, a.width);
        if (labels::is_comparison(node.op)) node.width = 1;
    }
    if (node.op == LabelOp::ZExt || node.op == LabelOp::SExt || node.op == LabelOp::Trunc)
      if (node.width == node.from_width) return;
    record.nodes.push_back(node);
  }

  std::mt19937_64 random_;
};

// Z3 says where an expression has another value than before; the evaluator looks whether that is so (InputClasses::next
// throws if not). When there is no other value, random inputs must not find one, either.
TEST(Expressions, SolverAgreesWithTheEvaluator) {
  for (u64 seed = 0; seed < fewer(300); ++seed) {
    Tree tree(seed);
    InputClasses classes;
    std::mt19937_64 random(seed);
    for (int round = 0; round < 3; ++round) {
      LabelNode& root = tree.record.nodes.back();
      const std::vector<Equality> condition = {{root.label, 0, root.value, 0, 0, 0}};
      ASSERT_EQ(classes.add(tree.record, condition), "") << seed;
      InputValues values;
      NextInput found = NextInput::Unknown;
      ASSERT_NO_THROW(found = classes.next(values, 1)) << seed;
      if (found == NextInput::Unknown) break;
      if (found == NextInput::Found) {
        const u64 before = root.value;
        tree.evaluate(values);
        EXPECT_NE(root.value, before) << seed;
        continue;
      }
      std::set<u64> known;
      for (int i = 0; i < 200; ++i) {
        tree.evaluate({{11, random() % 2 ? random() : random() % 3}, {12, random() % 2 ? random() : random() % 3}});
        known.insert(root.value);
      }
      EXPECT_LE(known.size(), static_cast<size_t>(round) + 1) << seed;
      break;
    }
  }
}

TEST(InputClasses, CoverAllInTheEnd) {
  // x < 10, then x == 7 where that holds: three classes.
  RoundRecord record;
  record.inputs = {variable(11, 32)};
  LabelNode less{}, equal{};
  less.label = 2;
  less.op = LabelOp::Ult;
  less.width = 1;
  less.from_width = 32;
  less.operand[0] = 1;
  less.constant[1] = 10;
  equal = less;
  equal.label = 3;
  equal.op = LabelOp::Eq;
  equal.constant[1] = 7;
  InputClasses classes;
  InputValues values;
  for (;;) {
    const u64 x = values.contains(11) ? values[11] : 0;
    record.inputs[0].has_value = 1;
    record.inputs[0].value = x;
    record.nodes = {input_node(1, record.inputs[0]), less};
    record.nodes[0].value = x;
    record.nodes[1].value = x < 10;
    record.nodes[1].decided = decided::kBranch;
    if (x < 10) {
      record.nodes.push_back(equal);
      record.nodes[2].value = x == 7;
      record.nodes[2].decided = decided::kBranch;
    }
    ASSERT_EQ(classes.add(record, decisions(record)), "");
    if (classes.next(values, 10) == NextInput::None) break;
    ASSERT_LT(classes.count(), 4u);
  }
  EXPECT_EQ(classes.count(), 3u);
}

TEST(InputClasses, DamageIsNoticed) {
  RoundRecord record;
  record.inputs = {variable(11, 32)};
  record.nodes = {input_node(1, record.inputs[0])};
  record.nodes[0].value = 5;  // but the input is 0
  EXPECT_NE(InputClasses().add(record, {}), "");
  record.nodes[0].value = 0;
  EXPECT_NE(InputClasses().add(record, {{1, 0, 3, 0, 0, 0}}), "");  // not of its own class
  record.nodes[0].operand[0] = 99;
  EXPECT_NE(InputClasses().add(record, {}), "");
}

SharedValue held(u64 address, u32 size, u64 value, u64 label) { return {1, address, value, label, size, 1}; }

TEST(Coincidences, EqualValuesOfDifferentExpressions) {
  const std::vector<std::pair<u64, u64>> all = {{0, 1000}};
  // A constant and an expression; two expressions; different values; another place.
  EXPECT_EQ(coincidences({held(8, 4, 3, 0), held(8, 4, 3, 77)}, all).size(), 1u);
  EXPECT_EQ(coincidences({held(8, 4, 3, 76), held(8, 4, 3, 77), held(8, 4, 3, 78)}, all).size(), 2u);
  EXPECT_EQ(coincidences({held(8, 4, 3, 0), held(8, 4, 4, 77)}, all).size(), 0u);
  EXPECT_EQ(coincidences({held(8, 4, 3, 0), held(12, 4, 3, 77)}, all).size(), 0u);
  EXPECT_EQ(coincidences({held(8, 4, 3, 0), held(8, 4, 3, 0)}, all).size(), 0u);
}

TEST(Coincidences, OnlyWhereThreadsShare) {
  EXPECT_EQ(coincidences({held(8, 4, 3, 0), held(8, 4, 3, 77)}, {{0, 8}, {12, 20}}).size(), 0u);
  EXPECT_EQ(coincidences({held(8, 4, 3, 0), held(8, 4, 3, 77)}, {{0, 8}, {11, 20}}).size(), 1u);
}

TEST(Coincidences, ByteByByteWhereSizesDiffer) {
  const std::vector<std::pair<u64, u64>> all = {{0, 1000}};
  // 0x0103 and a byte 3: the low byte of the expression.
  const auto found = coincidences({held(8, 2, 0x103, 77), held(8, 1, 3, 0)}, all);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].label, 77u);
  EXPECT_EQ(found[0].width, 8u);
  EXPECT_EQ(found[0].shift, 0u);
  EXPECT_EQ(coincidences({held(8, 2, 0x103, 77), held(9, 1, 1, 0)}, all)[0].shift, 8u);
}

}  // namespace
}  // namespace plait::solve
