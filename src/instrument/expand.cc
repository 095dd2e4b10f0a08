#include "instrument/expand.h"

#include "instrument/hooks.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {
namespace {

class Expansion {
 public:
  explicit Expansion(llvm::IntrinsicInst& call)
      : call_(call), b_(&call), type_(llvm::dyn_cast<llvm::IntegerType>(call.getArgOperand(0)->getType())) {}

  /// Null: it stays.
  llvm::Value* made() {
    if (!type_ || width() > 64) return nullptr;
    llvm::Value* a = call_.getArgOperand(0);
    switch (call_.getIntrinsicID()) {
      case llvm::Intrinsic::abs: return magnitude(a);
      case llvm::Intrinsic::fshl: return funnel(true);
      case llvm::Intrinsic::fshr: return funnel(false);
      case llvm::Intrinsic::bswap: return swapped(a);
      case llvm::Intrinsic::ctpop: return ones(a);
      // The bits behind the last one that is set, as ones.
      case llvm::Intrinsic::cttz: return ones(b_.CreateAnd(b_.CreateNot(a), b_.CreateSub(a, number(1))));
      case llvm::Intrinsic::ctlz: return zeros_in_front(a);
      case llvm::Intrinsic::uadd_sat: return saturated_sum(a, call_.getArgOperand(1));
      case llvm::Intrinsic::usub_sat: return saturated_difference(a, call_.getArgOperand(1));
      case llvm::Intrinsic::umul_with_overflow: return product(a, call_.getArgOperand(1), false);
      case llvm::Intrinsic::smul_with_overflow: return product(a, call_.getArgOperand(1), true);
      default: return nullptr;
    }
  }

 private:
  unsigned width() const { return type_->getBitWidth(); }
  llvm::ConstantInt* number(uint64_t value) const { return llvm::ConstantInt::get(type_, value); }
  /// A mask of bits, repeated over the type.
  llvm::ConstantInt* pattern(uint64_t ones, unsigned every) const {
    return llvm::ConstantInt::get(type_->getContext(), llvm::APInt::getSplat(width(), llvm::APInt(every, ones)));
  }

  llvm::Value* magnitude(llvm::Value* a) {
    return b_.CreateSelect(b_.CreateICmpSLT(a, number(0)), b_.CreateSub(number(0), a), a);
  }

  llvm::Value* funnel(bool left) {
    llvm::Value *high = call_.getArgOperand(0), *low = call_.getArgOperand(1), *by = call_.getArgOperand(2);
    const unsigned most = width() - 1;
    if (!llvm::isPowerOf2_32(width())) return nullptr;
    llvm::Value* steps = b_.CreateAnd(by, number(most));
    llvm::Value* others = b_.CreateXor(steps, number(most));  // most - steps
    return left ? b_.CreateOr(b_.CreateShl(high, steps), b_.CreateLShr(b_.CreateLShr(low, number(1)), others))
                : b_.CreateOr(b_.CreateShl(b_.CreateShl(high, number(1)), others), b_.CreateLShr(low, steps));
  }

  llvm::Value* swapped(llvm::Value* a) {
    llvm::Value* all = number(0);
    for (unsigned from = 0; from < width(); from += 8) {
      llvm::Value* byte = b_.CreateAnd(b_.CreateLShr(a, number(from)), number(255));
      all = b_.CreateOr(all, b_.CreateShl(byte, number(width() - 8 - from)));
    }
    return all;
  }

  /// How many are set: in groups that double.
  llvm::Value* ones(llvm::Value* a) {
    if (!llvm::isPowerOf2_32(width())) return nullptr;
    for (unsigned group = 1; group < width(); group *= 2) {
      llvm::ConstantInt* mask = pattern((uint64_t{1} << group) - 1, 2 * group);
      a = b_.CreateAdd(b_.CreateAnd(a, mask), b_.CreateAnd(b_.CreateLShr(a, number(group)), mask));
    }
    return a;
  }

  llvm::Value* zeros_in_front(llvm::Value* a) {
    for (unsigned by = 1; by < width(); by *= 2) a = b_.CreateOr(a, b_.CreateLShr(a, number(by)));
    return ones(b_.CreateNot(a));
  }

  llvm::Value* saturated_sum(llvm::Value* a, llvm::Value* c) {
    llvm::Value* sum = b_.CreateAdd(a, c);
    return b_.CreateSelect(b_.CreateICmpULT(sum, a), llvm::ConstantInt::getAllOnesValue(type_), sum);
  }

  llvm::Value* saturated_difference(llvm::Value* a, llvm::Value* c) {
    return b_.CreateSelect(b_.CreateICmpULT(a, c), number(0), b_.CreateSub(a, c));
  }

  /// {a * c, has it overflown?}
  llvm::Value* product(llvm::Value* a, llvm::Value* c, bool is_signed) {
    llvm::Value* result = b_.CreateMul(a, c);
    llvm::Value* overflow;
    if (width() <= 32) {
      llvm::Type* twice = b_.getIntNTy(2 * width());
      const auto extended = [&](llvm::Value* value) {
        return is_signed ? b_.CreateSExt(value, twice) : b_.CreateZExt(value, twice);
      };
      overflow = b_.CreateICmpNE(b_.CreateMul(extended(a), extended(c)), extended(result));
    } else {
      llvm::Value *x = is_signed ? magnitude(a) : a, *y = is_signed ? magnitude(c) : c;
      llvm::Value* divisor = b_.CreateSelect(b_.CreateICmpEQ(x, number(0)), number(1), x);
      llvm::Value* whole = b_.CreateMul(x, y);
      overflow = b_.CreateAnd(b_.CreateICmpNE(x, number(0)), b_.CreateICmpNE(b_.CreateUDiv(whole, divisor), y));
      if (is_signed) {
        const uint64_t least = uint64_t{1} << (width() - 1);
        llvm::Value* is_negative = b_.CreateICmpSLT(b_.CreateXor(a, c), number(0));
        llvm::Value* most = b_.CreateSelect(is_negative, number(least), number(least - 1));
        overflow = b_.CreateOr(overflow, b_.CreateICmpUGT(whole, most));
      }
    }
    llvm::Value* both = b_.CreateInsertValue(llvm::PoisonValue::get(call_.getType()), result, 0);
    return b_.CreateInsertValue(both, overflow, 1);
  }

  llvm::IntrinsicInst& call_;
  Builder b_;
  llvm::IntegerType* type_;
};

}  // namespace

void expand_intrinsics(llvm::Function& function) {
  llvm::SmallVector<llvm::IntrinsicInst*, 16> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); call && call->arg_size() > 0)
      calls.push_back(call);
  for (llvm::IntrinsicInst* call : calls) {
    llvm::Value* made = Expansion(*call).made();
    if (!made) continue;
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
}

}  // namespace plait::instrument
