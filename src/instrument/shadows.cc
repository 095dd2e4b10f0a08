#include "instrument/shadows.h"

#include "instrument/llvm.h"
#include "instrument/private_memory.h"
#include "instrument/undefined.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

namespace {

constexpr unsigned kMostHeight = 6;  // of an expression that is computed where it is asked about

/// The width of a value's shadow; 0: it has none, all of its bits count as written.
unsigned width_of(const llvm::Type& type) {
  if (type.isIntegerTy()) return type.getIntegerBitWidth() <= 64 ? type.getIntegerBitWidth() : 0;
  if (type.isPointerTy() || type.isDoubleTy()) return 64;
  return type.isFloatTy() ? 32 : 0;
}

/// What a load hook has found; its shadow is the other part of the pair.
bool is_loaded(const llvm::Value& value) {
  auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&value);
  auto* call =
      part && part->getIndices()[0] == 0 ? llvm::dyn_cast<llvm::CallInst>(part->getAggregateOperand()) : nullptr;
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return false;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("__plait_")) return false;
  name.consume_front("atomic_");
  return name.starts_with("load");
}

bool is_pure(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::sqrt: return true;
    default: return false;
  }
}

bool carries(const llvm::Instruction& instruction) {
  if (width_of(*instruction.getType()) == 0) return false;
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return is_pure(*call);
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                   llvm::PHINode, llvm::FreezeInst, llvm::GetElementPtrInst>(instruction);
}

llvm::IntegerType* shadow_type(llvm::Value* value) {
  return llvm::IntegerType::get(value->getContext(), width_of(*value->getType()));
}

llvm::Constant* none(llvm::Value* value) { return llvm::ConstantInt::get(shadow_type(value), 0); }
llvm::Constant* all(llvm::Value* value) { return llvm::Constant::getAllOnesValue(shadow_type(value)); }

bool is_none(const llvm::Value* shadow) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(shadow);
  return constant && constant->isNullValue();
}

}  // namespace

Shadows::Shadows(llvm::Function& function, const llvm::DenseMap<llvm::Value*, llvm::Value*>& loaded) : leaves_(loaded) {
  for (const auto& [value, bits] : loaded) sources_.insert(value);
  find_doubtful(function);
}

bool Shadows::is_source(const llvm::Value& value) const {
  return sources_.contains(&value) || is_loaded(value) || is_undefined(value);
}

void Shadows::find_doubtful(llvm::Function& function) {
  llvm::SmallVector<llvm::Value*, 32> todo;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (is_source(instruction)) todo.push_back(&instruction);
  while (!todo.empty()) {
    llvm::Value* value = todo.pop_back_val();
    if (!doubtful_.insert(value).second) continue;
    for (llvm::User* user : value->users())
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user); instruction && carries(*instruction))
        todo.push_back(user);
  }
}

unsigned Shadows::height(llvm::Value* value) {
  if (!may_be_unwritten(value) || is_source(*value) || llvm::isa<llvm::PHINode>(value)) return 0;
  if (auto known = heights_.find(value); known != heights_.end()) return known->second;
  unsigned most = 0;
  for (llvm::Value* operand : llvm::cast<llvm::Instruction>(value)->operands()) most = std::max(most, height(operand));
  const unsigned result = most >= kMostHeight ? 0 : most + 1;
  heights_[value] = result;
  return result;
}

bool Shadows::is_leaf(llvm::Value* value) { return height(value) == 0; }

void Shadows::collect_leaves(llvm::Value* value, llvm::SmallPtrSetImpl<llvm::Value*>& seen,
                             llvm::SmallVectorImpl<llvm::Value*>& leaves) {
  if (!may_be_unwritten(value) || !seen.insert(value).second) return;
  if (is_leaf(value)) {
    leaves.push_back(value);
    return;
  }
  for (llvm::Value* operand : llvm::cast<llvm::Instruction>(value)->operands()) collect_leaves(operand, seen, leaves);
}

llvm::Value* Shadows::suspicion(Builder& b, llvm::Value* value) {
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  llvm::SmallVector<llvm::Value*, 8> leaves;
  collect_leaves(value, seen, leaves);
  llvm::Value* result = b.getFalse();
  for (llvm::Value* part : leaves) result = b.CreateOr(result, b.CreateIsNotNull(leaf(part)));
  return result;
}

llvm::Value* Shadows::bits(Builder& b, llvm::Value* value) { return b.CreateZExt(exact(b, value), b.getInt64Ty()); }

llvm::Value* Shadows::exact(Builder& b, llvm::Value* value) {
  Known known;
  return shadow(b, value, known);
}

std::string Shadows::variable(llvm::Value* value) {
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  llvm::SmallVector<llvm::Value*, 16> todo{value};
  while (!todo.empty() && seen.size() < 64) {
    llvm::Value* next = todo.pop_back_val();
    if (!may_be_unwritten(next) || is_loaded(*next) || !seen.insert(next).second) continue;
    llvm::SmallVector<NamedBy, 2> names;
    if (is_undefined(*next))
      names = variables_with_value(next);
    else if (sources_.contains(next))
      names = variables_stored_in(root_of(llvm::cast<llvm::LoadInst>(next)->getPointerOperand()));
    else
      for (llvm::Value* operand : llvm::cast<llvm::Instruction>(next)->operands()) todo.push_back(operand);
    if (!names.empty()) return names.front().variable->getName().str();
  }
  return "";
}

llvm::Value* Shadows::leaf(llvm::Value* value) {
  if (auto known = leaves_.find(value); known != leaves_.end()) return known->second;
  if (is_undefined(*value)) return leaves_[value] = all(value);
  if (is_loaded(*value)) return leaf_of_load(*llvm::cast<llvm::ExtractValueInst>(value));
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) return leaf_of_phi(*phi);
  // The top of a tall expression: computed once, where it stands.
  auto& instruction = *llvm::cast<llvm::Instruction>(value);
  Builder b(instruction.getNextNode());
  Known known;
  llvm::Value* made = compute(b, instruction, known);
  return leaves_[value] = made;
}

llvm::Value* Shadows::leaf_of_load(llvm::ExtractValueInst& loaded) {
  Builder b(loaded.getNextNode());
  llvm::Value* bits = b.CreateTrunc(b.CreateExtractValue(loaded.getAggregateOperand(), 1), loaded.getType());
  return leaves_[&loaded] = bits;
}

llvm::Value* Shadows::leaf_of_phi(llvm::PHINode& phi) {
  Builder b(&phi);
  llvm::PHINode* made = b.CreatePHI(shadow_type(&phi), phi.getNumIncomingValues());
  leaves_[&phi] = made;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    Builder end(phi.getIncomingBlock(i)->getTerminator());
    Known known;
    // A block that branches here twice must bring the same value twice.
    const int before = made->getBasicBlockIndex(phi.getIncomingBlock(i));
    made->addIncoming(before >= 0 ? made->getIncomingValue(before) : shadow(end, phi.getIncomingValue(i), known),
                      phi.getIncomingBlock(i));
  }
  return made;
}

llvm::Value* Shadows::shadow(Builder& b, llvm::Value* value, Known& known) {
  if (!may_be_unwritten(value)) return none(value);
  if (is_leaf(value)) return leaf(value);
  if (auto entry = known.find(value); entry != known.end()) return entry->second;
  llvm::Value* made = compute(b, *llvm::cast<llvm::Instruction>(value), known);
  known[value] = made;
  return made;
}

llvm::Value* Shadows::compute(Builder& b, llvm::Instruction& instruction, Known& known) {
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return of_binary(b, *operation, known);
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return of_comparison(b, *comparison, known);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return of_select(b, *select, known);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return of_cast(b, *cast, known);
  if (llvm::isa<llvm::FreezeInst>(instruction)) return shadow(b, instruction.getOperand(0), known);
  return all_or_none(b, instruction, known);
}

llvm::Value* Shadows::all_or_none(Builder& b, llvm::Instruction& instruction, Known& known) {
  llvm::Value* any = b.getFalse();
  for (llvm::Value* operand : instruction.operands())
    if (may_be_unwritten(operand)) any = b.CreateOr(any, b.CreateIsNotNull(shadow(b, operand, known)));
  return b.CreateSExt(any, shadow_type(&instruction));
}

llvm::Value* Shadows::of_binary(Builder& b, llvm::BinaryOperator& operation, Known& known) {
  using Op = llvm::Instruction;
  if (!operation.getType()->isIntegerTy()) return all_or_none(b, operation, known);
  llvm::Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  llvm::Value *l = shadow(b, left, known), *r = shadow(b, right, known);
  switch (operation.getOpcode()) {
    case Op::And:  // a written 0 decides
      return b.CreateOr(b.CreateAnd(l, r), b.CreateOr(b.CreateAnd(l, right), b.CreateAnd(left, r)));
    case Op::Or:  // a written 1 decides
      return b.CreateOr(b.CreateAnd(l, r),
                        b.CreateOr(b.CreateAnd(l, b.CreateNot(right)), b.CreateAnd(b.CreateNot(left), r)));
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: {
      if (!is_none(r)) return all_or_none(b, operation, known);
      return b.CreateBinOp(operation.getOpcode(), l, right);
    }
    case Op::Xor:
    case Op::Add:  // carries are let go
    case Op::Sub: return b.CreateOr(l, r);
    default: return all_or_none(b, operation, known);
  }
}

/// Exact: the result is unwritten if two values of the unwritten bits lead to different results.
llvm::Value* Shadows::of_comparison(Builder& b, llvm::ICmpInst& comparison, Known& known) {
  llvm::Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  llvm::Value *l = shadow(b, left, known), *r = shadow(b, right, known);
  if (left->getType()->isPointerTy()) {
    left = b.CreatePtrToInt(left, b.getInt64Ty());
    right = b.CreatePtrToInt(right, b.getInt64Ty());
  }
  if (comparison.isEquality()) {
    llvm::Value* open = b.CreateOr(l, r);
    llvm::Value* differs = b.CreateIsNotNull(b.CreateAnd(b.CreateXor(left, right), b.CreateNot(open)));
    return b.CreateAnd(b.CreateIsNotNull(open), b.CreateNot(differs));
  }
  if (comparison.isSigned()) {
    llvm::Constant* sign =
        llvm::ConstantInt::get(left->getType(), llvm::APInt::getSignMask(left->getType()->getIntegerBitWidth()));
    left = b.CreateXor(left, sign);
    right = b.CreateXor(right, sign);
  }
  const auto predicate = comparison.getUnsignedPredicate();
  llvm::Value* low = b.CreateICmp(predicate, b.CreateAnd(left, b.CreateNot(l)), b.CreateOr(right, r));
  llvm::Value* high = b.CreateICmp(predicate, b.CreateOr(left, l), b.CreateAnd(right, b.CreateNot(r)));
  return b.CreateXor(low, high);
}

llvm::Value* Shadows::of_select(Builder& b, llvm::SelectInst& select, Known& known) {
  llvm::Value *yes = select.getTrueValue(), *no = select.getFalseValue();
  llvm::Value *y = shadow(b, yes, known), *n = shadow(b, no, known);
  llvm::Value* chosen = b.CreateSelect(select.getCondition(), y, n);
  llvm::Value* c = shadow(b, select.getCondition(), known);
  if (is_none(c)) return chosen;
  llvm::Value* either =
      yes->getType()->isIntegerTy() ? b.CreateOr(b.CreateOr(y, n), b.CreateXor(yes, no)) : all(&select);
  return b.CreateSelect(c, either, chosen);
}

llvm::Value* Shadows::of_cast(Builder& b, llvm::CastInst& cast, Known& known) {
  llvm::Value* from = cast.getOperand(0);
  if (width_of(*from->getType()) == 0) return none(&cast);
  llvm::Value* s = shadow(b, from, known);
  switch (cast.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast: return b.CreateZExtOrTrunc(s, shadow_type(&cast));
    case llvm::Instruction::SExt: return b.CreateSExt(s, shadow_type(&cast));
    default: return all_or_none(b, cast, known);
  }
}

}  // namespace plait::instrument
