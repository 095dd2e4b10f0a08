// Expressions over the program's inputs, and what a round of runs with fixed inputs has learned about them.
//
// A *label* names an expression: 0 is a concrete value, any other the hash of the expression's content. So labels agree
// between runs and between workers. All workers of a check share the tables below; each entry is written at once by
// whoever needs it first, and everybody who writes it writes the same.
//
// A round has one value for each input. So each expression has one value, too, and a condition is an expression that
// some run has decided something by: it keeps its value for every input of the round's class (docs/inputs.md).
#pragma once
#include "trace/input.h"
#include "trace/session.h"

namespace plait {

/// Operands are of the node's width unless it says otherwise.
enum class LabelOp : u8 {
  None,
  Input,  // constant[0]: InputVariable::id
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  Eq,  // comparisons: one bit, operands of from_width
  Ne,
  Ult,
  Ule,
  Slt,
  Sle,
  Trunc,  // from from_width
  ZExt,
  SExt,
  Extract,  // bits of an expression of from_width, from bit constant[1] on
  Concat,   // operand 0 (from_width bits) lies below operand 1
  Select,   // operand 0 is one bit
  Read,  // request_flag::kLabels: what an operation returned; constant[0]: thread << 32 | position, constant[1]: what
};
inline constexpr u8 kLastLabelOp = static_cast<u8>(LabelOp::Select);  // of expressions over inputs

/// Op::Label, in its place in the thread: about the operation before it, or what the thread goes on by.
namespace label_note {
inline constexpr u8 kResult = 1;    // the result is a symbol
inline constexpr u8 kOperand = 2;   // the operand is this expression
inline constexpr u8 kExpected = 3;  // of a compare-and-swap
inline constexpr u8 kBranch = 4;    // the thread goes on according to the value
inline constexpr u8 kFixed = 5;     // likewise: it was needed for something that has no expressions
}  // namespace label_note

/// What has been decided by an expression, in a round.
namespace decided {
inline constexpr u32 kBranch = 1;  // a branch, a comparison of a compare-and-swap, a guard
inline constexpr u32 kFixed = 2;   // its value was needed: an address, a size, an argument of code that is not followed
}  // namespace decided

struct LabelNode {
  u64 label;
  LabelOp op;
  u8 width;  // bits, 1 to 64
  u8 from_width;
  u8 ready;
  u32 decided;  // a set of decided::k...
  u32 site;     // where that was first
  u32 pad;
  u64 operand[3];   // labels
  u64 constant[3];  // where the label is 0
  u64 value;        // under the round's inputs
};

/// Memory that threads share held this value, which was this expression (0: a constant).
struct SharedValue {
  u64 key;  // hash of the rest
  u64 address;
  u64 value;
  u64 label;
  u32 size;
  u32 ready;
};

inline constexpr u32 kLabelNodes = 1u << 18, kSharedValues = 1u << 19, kInputVariables = 1u << 12;

/// A value that the user gives to all inputs of this name: they are not explored.
struct NamedInput {
  char name[44];
  u8 taken;   // some run has asked for it
  u8 misfit;  // the value is not in its range
  u8 pad[2];
  u64 value;
};
inline constexpr u32 kNamedInputs = 32;

struct LabelTables {
  u32 enabled;    // inputs are to be explored
  u32 round;      // which one it is
  u32 given;      // some inputs have values
  u32 overflow;   // a table was full: the class of the round is not known
  u32 collision;  // two expressions with one hash
  u32 mismatch;   // a value that is not what its expression says
  u32 node_count, shared_count, input_count;
  u32 named_count;
  NamedInput named[kNamedInputs];
  InputVariable input[kInputVariables];
  // Slots in use, as many as the counts say; some may be named twice.
  u32 node_slot[kLabelNodes];
  u32 shared_slot[kSharedValues];
  LabelNode node[kLabelNodes];
  SharedValue shared[kSharedValues];
};

/// In the same shared memory, behind the session.
inline constexpr u64 kLabelsOffset = (sizeof(Session) + 4095) & ~u64{4095};
inline LabelTables& labels_of(Session& session) {
  return *reinterpret_cast<LabelTables*>(reinterpret_cast<char*>(&session) + kLabelsOffset);
}

namespace labels {

constexpr u64 mixed(u64 hash, u64 word) {
  u64 z = (hash ^ word) + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

constexpr u64 mask(unsigned width) { return width >= 64 ? ~u64{0} : (u64{1} << width) - 1; }
constexpr i64 as_signed(u64 value, unsigned width) { return static_cast<i64>(value << (64 - width)) >> (64 - width); }

constexpr bool is_comparison(LabelOp op) { return op >= LabelOp::Eq && op <= LabelOp::Sle; }

constexpr u64 shifted(LabelOp op, unsigned width, u64 a, u64 b) {
  if (op == LabelOp::AShr) return static_cast<u64>(as_signed(a, width) >> (b < width ? b : width - 1));
  if (b >= width) return 0;
  return op == LabelOp::Shl ? a << b : a >> b;
}

/// As SMT-LIB has it: a division by zero is all ones or one, a remainder by zero its dividend.
constexpr u64 divided(LabelOp op, unsigned width, u64 a, u64 b) {
  const i64 x = as_signed(a, width), y = as_signed(b, width);
  const bool overflows = y == -1;  // the negation, which wraps
  switch (op) {
    case LabelOp::UDiv: return b ? a / b : ~u64{0};
    case LabelOp::URem: return b ? a % b : a;
    case LabelOp::SDiv: return overflows ? 0 - a : y ? static_cast<u64>(x / y) : x < 0 ? 1 : ~u64{0};
    default: return overflows ? 0 : y ? static_cast<u64>(x % y) : a;
  }
}

constexpr bool compared(LabelOp op, unsigned width, u64 a, u64 b) {
  switch (op) {
    case LabelOp::Eq: return a == b;
    case LabelOp::Ne: return a != b;
    case LabelOp::Ult: return a < b;
    case LabelOp::Ule: return a <= b;
    case LabelOp::Slt: return as_signed(a, width) < as_signed(b, width);
    default: return as_signed(a, width) <= as_signed(b, width);
  }
}

/// The value of an expression, from those of its operands; not of inputs.
constexpr u64 evaluate(LabelOp op, unsigned width, unsigned from, u64 a, u64 b, u64 c) {
  u64 result = 0;
  switch (op) {
    case LabelOp::Add: result = a + b; break;
    case LabelOp::Sub: result = a - b; break;
    case LabelOp::Mul: result = a * b; break;
    case LabelOp::UDiv:
    case LabelOp::SDiv:
    case LabelOp::URem:
    case LabelOp::SRem: result = divided(op, width, a, b); break;
    case LabelOp::Shl:
    case LabelOp::LShr:
    case LabelOp::AShr: result = shifted(op, width, a, b); break;
    case LabelOp::And: result = a & b; break;
    case LabelOp::Or: result = a | b; break;
    case LabelOp::Xor: result = a ^ b; break;
    case LabelOp::Trunc:
    case LabelOp::ZExt: result = a; break;
    case LabelOp::SExt: result = static_cast<u64>(as_signed(a, from)); break;
    case LabelOp::Extract: result = a >> b; break;
    case LabelOp::Concat: result = a | (from < 64 ? b << from : 0); break;
    case LabelOp::Select: result = a ? b : c; break;
    default: return compared(op, from, a, b);
  }
  return result & mask(width);
}

}  // namespace labels
}  // namespace plait
