#include "instrument/labels.h"

#include <array>

#include "instrument/expand.h"
#include "instrument/rewriter.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace plait::instrument {

static llvm::cl::opt<bool> follow_inputs("plait-inputs", llvm::cl::init(false), llvm::cl::Hidden,
                                         llvm::cl::desc("Follow inputs of the program through its values"));

static bool follows = false;  // this module

bool wants_labels() { return follows; }

void decide_labels(llvm::Module& module) {
  bool takes = false;
  for (const llvm::Function& function : module)
    for (const char* beginning :
         {"__VERIFIER_nondet_", "__plait_input", "klee_make_symbolic", "klee_range", "klee_int"})
      takes |= function.isDeclaration() && !function.use_empty() && function.getName().starts_with(beginning);
  follows = follow_inputs || takes;
  if (!takes) return;
  // So that all of a program's units can be told.
  auto* marker = new llvm::GlobalVariable(
      module, llvm::Type::getInt8Ty(module.getContext()), true, llvm::GlobalValue::PrivateLinkage,
      llvm::ConstantInt::get(llvm::Type::getInt8Ty(module.getContext()), 1), "plait.takes_inputs");
  marker->setSection("plait_takes_inputs");
  llvm::appendToUsed(module, {marker});
}

namespace {

LabelOp op_of(llvm::Instruction::BinaryOps op) {
  switch (op) {
    case llvm::Instruction::Add: return LabelOp::Add;
    case llvm::Instruction::Sub: return LabelOp::Sub;
    case llvm::Instruction::Mul: return LabelOp::Mul;
    case llvm::Instruction::UDiv: return LabelOp::UDiv;
    case llvm::Instruction::SDiv: return LabelOp::SDiv;
    case llvm::Instruction::URem: return LabelOp::URem;
    case llvm::Instruction::SRem: return LabelOp::SRem;
    case llvm::Instruction::Shl: return LabelOp::Shl;
    case llvm::Instruction::LShr: return LabelOp::LShr;
    case llvm::Instruction::AShr: return LabelOp::AShr;
    case llvm::Instruction::And: return LabelOp::And;
    case llvm::Instruction::Or: return LabelOp::Or;
    default: return LabelOp::Xor;
  }
}

bool needs_guard(LabelOp op) {
  return (op >= LabelOp::UDiv && op <= LabelOp::SRem) || (op >= LabelOp::Shl && op <= LabelOp::AShr);
}

/// RmwKind, or -1.
int kind_of(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
    case llvm::AtomicRMWInst::Xchg: return static_cast<int>(RmwKind::Exchange);
    case llvm::AtomicRMWInst::Add: return static_cast<int>(RmwKind::Add);
    case llvm::AtomicRMWInst::Sub: return static_cast<int>(RmwKind::Sub);
    case llvm::AtomicRMWInst::And: return static_cast<int>(RmwKind::And);
    case llvm::AtomicRMWInst::Or: return static_cast<int>(RmwKind::Or);
    case llvm::AtomicRMWInst::Xor: return static_cast<int>(RmwKind::Xor);
    default: return -1;
  }
}

unsigned width_of(const llvm::Value* value) { return value->getType()->getIntegerBitWidth(); }

bool is_constant_memory(llvm::Value* pointer) {
  auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(root_of(pointer));
  return variable && variable->isConstant();
}

}  // namespace

Labels::Labels(llvm::Function& function, Hooks& hooks, Sites& sites, const ThreadLocals& thread_locals,
               const llvm::SmallPtrSetImpl<const llvm::Function*>& skipped)
    : function_(function),
      hooks_(hooks),
      sites_(sites),
      memory_(function, thread_locals),
      skipped_(skipped),
      layout_(function.getDataLayout()),
      word_(llvm::Type::getInt64Ty(function.getContext())),
      int_(llvm::Type::getInt32Ty(function.getContext())) {}

bool Labels::is_tracked(const llvm::Type* type) { return type->isIntegerTy() && type->getIntegerBitWidth() <= 64; }

llvm::Value* Labels::label(Value* value) {
  auto known = labels_.find(value);
  return known == labels_.end() ? none() : known->second;
}

bool Labels::may_have_label(Value* value) { return labels_.contains(value); }

llvm::Value* Labels::wide(Builder& b, Value* value) { return b.CreateZExtOrTrunc(value, word_); }

llvm::Value* Labels::call(Builder& b, const char* name, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
  return hooks_.label_hook(b, name, result, arguments);
}

void Labels::fix(Builder& b, Value* value, llvm::Instruction& at) {
  if (may_have_label(value)) call(b, "fix", b.getVoidTy(), {label(value), site(at)});
}

void Labels::fix_operands(llvm::Instruction& instruction) {
  Builder b(&instruction);
  for (llvm::Value* operand : instruction.operands()) fix(b, operand, instruction);
}

llvm::Value* Labels::binary(Builder& b, LabelOp op, unsigned width, Value* a, Value* label_a, Value* c,
                            Value* label_c) {
  return call(b, "binary", word_,
              {number(static_cast<unsigned>(op)), number(width), wide(b, a), label_a, wide(b, c), label_c});
}

llvm::Value* Labels::cast(Builder& b, LabelOp op, unsigned from, unsigned to, Value* value, Value* label) {
  return call(b, "cast", word_, {number(static_cast<unsigned>(op)), number(from), number(to), wide(b, value), label});
}

void Labels::follow_values() {
  expand_intrinsics(function_);
  // Only blocks that are reached, each behind those that dominate it.
  llvm::SmallVector<llvm::Instruction*, 128> instructions;
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  for (llvm::BasicBlock* block : order)
    for (llvm::Instruction& instruction : *block) instructions.push_back(&instruction);
  begin_function();
  for (llvm::Instruction* instruction : instructions) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (!phi || !is_tracked(phi->getType())) continue;
    Builder b(phi);
    labels_[phi] = b.CreatePHI(word_, phi->getNumIncomingValues());
    phis_.push_back(phi);
  }
  for (llvm::Instruction* instruction : instructions) visit(*instruction);
  for (llvm::PHINode* phi : phis_) {
    auto* made = llvm::cast<llvm::PHINode>(labels_[phi]);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      made->addIncoming(label(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
  }
}

void Labels::visit(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction)) return;
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return visit_binary(*operation);
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return visit_comparison(*comparison);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return visit_cast(*cast);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return visit_select(*select);
  if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) return visit_extract(*part);
  if (auto* whole = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) return visit_insert(*whole);
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) return visit_switch(*choice);
  if (auto* called = llvm::dyn_cast<llvm::CallBase>(&instruction)) return visit_call(*called);
  if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    llvm::Value* value = end->getReturnValue();
    return returns_.push_back({end, value && is_tracked(value->getType()) ? label(value) : none()});
  }
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (branch->isUnconditional() || !may_have_label(branch->getCondition())) return;
    Builder b(branch);
    call(b, "branch", b.getVoidTy(), {label(branch->getCondition()), site(*branch)});
    return;
  }
  if (llvm::isa<llvm::FreezeInst>(instruction)) {
    if (may_have_label(instruction.getOperand(0))) labels_[&instruction] = label(instruction.getOperand(0));
    return;
  }
  visit_access(instruction);
}

void Labels::visit_access(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return visit_load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return visit_store(*store);
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return visit_rmw(*rmw);
  if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return visit_cas(*cas);
  // Addresses, vectors, sizes of variables and whatever else: values are needed.
  fix_operands(instruction);
}

void Labels::visit_load(llvm::LoadInst& load) {
  llvm::Value* from = load.getPointerOperand();
  if (is_constant_memory(from)) return;
  const unsigned bytes = integer_size(load.getType(), layout_);
  Builder b(behind(load));
  if (!is_tracked(load.getType()) || bytes == 0) {
    const uint64_t whole = layout_.getTypeStoreSize(load.getType()).getKnownMinValue();
    // Others go through a temporary, which has the labels (Rewriter::plain_load).
    if ((bytes != 0 && bytes <= 8) || memory_.is_private(from))
      call(b, "needed", b.getVoidTy(), {from, size(whole), site(load)});
    return;
  }
  const unsigned width = width_of(&load);
  llvm::Value* found = call(b, "load", word_, {from, size(bytes), wide(b, &load)});
  labels_[&load] = width == bytes * 8 ? found : cast(b, LabelOp::Trunc, bytes * 8, width, &load, found);
}

void Labels::visit_store(llvm::StoreInst& store) {
  llvm::Value* value = store.getValueOperand();
  llvm::Value* to = store.getPointerOperand();
  const unsigned bytes = integer_size(value->getType(), layout_);
  if (bytes == 0 || bytes > 8) {
    Builder before(&store);
    fix(before, value, store);
    Builder b(behind(store));
    const uint64_t whole = layout_.getTypeStoreSize(value->getType()).getKnownMinValue();
    if (memory_.is_private(to)) call(b, "cleared", b.getVoidTy(), {to, size(whole)});
    return;
  }
  Builder b(behind(store));
  llvm::Value* given = label(value);
  if (is_tracked(value->getType()) && width_of(value) != bytes * 8 && may_have_label(value))
    given = cast(b, LabelOp::ZExt, width_of(value), bytes * 8, value, given);
  call(b, "store", b.getVoidTy(), {to, size(bytes), wide(b, to_integer(b, value, bytes)), given});
}

void Labels::visit_rmw(llvm::AtomicRMWInst& rmw) {
  const unsigned bytes = integer_size(rmw.getType(), layout_);
  Builder b(behind(rmw));
  llvm::Value* at = rmw.getPointerOperand();
  if (bytes == 0 || bytes > 8) {
    call(b, "wide", b.getVoidTy(), {at, size(layout_.getTypeStoreSize(rmw.getType())), site(rmw)});
    return;
  }
  llvm::Value* operand = rmw.getValOperand();
  const int kind = width_of(to_integer(b, operand, bytes)) == bytes * 8 ? kind_of(rmw.getOperation()) : -1;
  llvm::Value* before =
      call(b, "rmw", word_,
           {at, size(bytes), wide(b, to_integer(b, &rmw, bytes)), wide(b, to_integer(b, operand, bytes)),
            label(operand), llvm::ConstantInt::getSigned(int_, kind), site(rmw)});
  if (is_tracked(rmw.getType())) labels_[&rmw] = before;
}

void Labels::visit_cas(llvm::AtomicCmpXchgInst& cas) {
  llvm::Type* type = cas.getNewValOperand()->getType();
  const unsigned bytes = integer_size(type, layout_);
  Builder b(behind(cas));
  llvm::Value* at = cas.getPointerOperand();
  if (bytes == 0 || bytes > 8) {
    Builder before(&cas);
    call(b, "wide", b.getVoidTy(), {at, size(layout_.getTypeStoreSize(type)), site(cas)});
    return;
  }
  const auto number_of = [&](llvm::Value* value) { return wide(b, to_integer(b, value, bytes)); };
  llvm::Value* old = b.CreateExtractValue(&cas, 0);
  llvm::Value* before =
      call(b, "cas", word_,
           {at, size(bytes), number_of(old), number_of(cas.getCompareOperand()), label(cas.getCompareOperand()),
            number_of(cas.getNewValOperand()), label(cas.getNewValOperand()), site(cas)});
  // Whether it has succeeded is decided.
  parts_[&cas] = {is_tracked(type) ? before : none(), none()};
}

void Labels::visit_binary(llvm::BinaryOperator& operation) {
  llvm::Value *a = operation.getOperand(0), *c = operation.getOperand(1);
  if (!is_tracked(operation.getType())) return fix_operands(operation);
  if (!may_have_label(a) && !may_have_label(c)) return;
  // What overflows wraps, in expressions as in the program.
  operation.dropPoisonGeneratingFlags();
  const LabelOp op = op_of(operation.getOpcode());
  const unsigned width = width_of(&operation);
  if (needs_guard(op)) {
    Builder before(&operation);
    call(before, "guard", before.getVoidTy(),
         {number(static_cast<unsigned>(op)), number(width), wide(before, a), label(a), wide(before, c), label(c),
          site(operation)});
  }
  Builder b(behind(operation));
  labels_[&operation] = binary(b, op, width, a, label(a), c, label(c));
}

void Labels::visit_comparison(llvm::ICmpInst& comparison) {
  llvm::Value *a = comparison.getOperand(0), *c = comparison.getOperand(1);
  if (!is_tracked(a->getType())) return fix_operands(comparison);
  if (!may_have_label(a) && !may_have_label(c)) return;
  comparison.dropPoisonGeneratingFlags();
  llvm::CmpInst::Predicate predicate = comparison.getPredicate();
  const bool swaps = predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_UGE ||
                     predicate == llvm::CmpInst::ICMP_SGT || predicate == llvm::CmpInst::ICMP_SGE;
  if (swaps) {
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    std::swap(a, c);
  }
  LabelOp op = LabelOp::Eq;
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: op = LabelOp::Eq; break;
    case llvm::CmpInst::ICMP_NE: op = LabelOp::Ne; break;
    case llvm::CmpInst::ICMP_ULT: op = LabelOp::Ult; break;
    case llvm::CmpInst::ICMP_ULE: op = LabelOp::Ule; break;
    case llvm::CmpInst::ICMP_SLT: op = LabelOp::Slt; break;
    default: op = LabelOp::Sle; break;
  }
  Builder b(behind(comparison));
  labels_[&comparison] = binary(b, op, width_of(a), a, label(a), c, label(c));
}

void Labels::visit_cast(llvm::CastInst& instruction) {
  llvm::Value* value = instruction.getOperand(0);
  if (!may_have_label(value)) return;
  if (!is_tracked(instruction.getType())) return fix_operands(instruction);
  LabelOp op = LabelOp::Trunc;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Trunc: op = LabelOp::Trunc; break;
    case llvm::Instruction::ZExt: op = LabelOp::ZExt; break;
    case llvm::Instruction::SExt: op = LabelOp::SExt; break;
    default: return fix_operands(instruction);
  }
  instruction.dropPoisonGeneratingFlags();
  Builder b(behind(instruction));
  labels_[&instruction] = cast(b, op, width_of(value), width_of(&instruction), value, label(value));
}

void Labels::visit_select(llvm::SelectInst& select) {
  llvm::Value* condition = select.getCondition();
  llvm::Value *a = select.getTrueValue(), *c = select.getFalseValue();
  if (!is_tracked(select.getType())) {
    if (!may_have_label(condition)) return;
    Builder b(&select);
    call(b, "branch", b.getVoidTy(), {label(condition), site(select)});
    return;
  }
  if (!may_have_label(condition) && !may_have_label(a) && !may_have_label(c)) return;
  Builder b(behind(select));
  labels_[&select] = call(
      b, "select", word_,
      {number(width_of(&select)), wide(b, condition), label(condition), wide(b, a), label(a), wide(b, c), label(c)});
}

void Labels::visit_switch(llvm::SwitchInst& choice) {
  llvm::Value* value = choice.getCondition();
  if (!may_have_label(value)) return;
  llvm::SmallVector<uint64_t, 16> cases;
  for (const auto& one : choice.cases()) cases.push_back(one.getCaseValue()->getZExtValue());
  llvm::Constant* row = llvm::ConstantDataArray::get(choice.getContext(), cases);
  auto* table = new llvm::GlobalVariable(*function_.getParent(), row->getType(), true,
                                         llvm::GlobalValue::PrivateLinkage, row, "plait.cases");
  Builder b(&choice);
  call(b, "switch", b.getVoidTy(),
       {label(value), number(width_of(value)), wide(b, value), table, size(cases.size()), site(choice)});
}

void Labels::visit_extract(llvm::ExtractValueInst& part) {
  auto whole = parts_.find(part.getAggregateOperand());
  if (whole == parts_.end() || part.getNumIndices() != 1 || !is_tracked(part.getType())) return;
  llvm::Value* found = whole->second[part.getIndices()[0]];
  if (found != none()) labels_[&part] = found;
}

void Labels::visit_insert(llvm::InsertValueInst& whole) {
  auto* type = llvm::dyn_cast<llvm::StructType>(whole.getType());
  llvm::SmallVector<llvm::Value*, 2> parts(type ? type->getNumElements() : 0, none());
  if (auto before = parts_.find(whole.getAggregateOperand()); before != parts_.end()) parts = before->second;
  Builder b(&whole);
  fix_parts(b, whole.getInsertedValueOperand(), whole);
  if (!type || whole.getNumIndices() != 1)
    fix(b, whole.getInsertedValueOperand(), whole);
  else
    parts[whole.getIndices()[0]] = label(whole.getInsertedValueOperand());
  parts_[&whole] = parts;
  // Structs are followed from their making to their taking apart, no further.
  Builder after(behind(whole));
  for (const llvm::User* user : whole.users())
    if (!llvm::isa<llvm::ExtractValueInst, llvm::InsertValueInst>(user)) {
      fix_parts(after, &whole, whole);
      return;
    }
}

void Labels::fix_parts(Builder& b, Value* whole, llvm::Instruction& at) {
  auto parts = parts_.find(whole);
  if (parts == parts_.end()) return;
  for (llvm::Value* part : parts->second)
    if (part != none()) call(b, "fix", b.getVoidTy(), {part, site(at)});
}

}  // namespace plait::instrument
