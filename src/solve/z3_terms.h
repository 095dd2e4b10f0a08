// Operations of expressions as Z3's bit-vectors. Only for files that may see Z3.
#pragma once
#include <z3++.h>

#include "trace/labels.h"

namespace plait::solve {

inline z3::expr as_bit(const z3::expr& condition) {
  z3::context& c = condition.ctx();
  return z3::ite(condition, c.bv_val(1, 1), c.bv_val(0, 1));
}

inline z3::expr binary_term(LabelOp op, const z3::expr& a, const z3::expr& b) {
  switch (op) {
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

/// `operand(i, width)`: the i-th. Of neither inputs nor what was read. `shift`: of an extract.
template <class Operand>
z3::expr term_of(LabelOp op, unsigned width, unsigned from, unsigned shift, Operand&& operand) {
  switch (op) {
    case LabelOp::ZExt: return z3::zext(operand(0, from), width - from);
    case LabelOp::SExt: return z3::sext(operand(0, from), width - from);
    case LabelOp::Trunc: return operand(0, from).extract(width - 1, 0);
    case LabelOp::Extract: return operand(0, from).extract(shift + width - 1, shift);
    case LabelOp::Concat: return z3::concat(operand(1, width - from), operand(0, from));
    case LabelOp::Select: {
      const z3::expr condition = operand(0, 1);
      return z3::ite(condition == condition.ctx().bv_val(1, 1), operand(1, width), operand(2, width));
    }
    default: return binary_term(op, operand(0, from), operand(1, from));
  }
}

}  // namespace plait::solve
