// Labels across calls: arguments, results, library functions, intrinsics. The runtime's side: runtime/label_hooks.cc.
#include "instrument/known_calls.h"
#include "instrument/labels.h"
#include "instrument/undefined.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "runtime/abi.h"

namespace plait::instrument {

namespace {

/// What is printed matters to who collects outputs, not to the program.
bool only_prints(const llvm::CallBase& called) {
  const llvm::Function* callee = called.getCalledFunction();
  if (!callee || !callee->isDeclaration() || !called.use_empty()) return false;
  llvm::StringRef name = callee->getName();
  name.consume_front("__plait_");
  return name == "printf" || name == "fprintf" || name == "putchar" || name == "fputc" || name == "putc";
}

}  // namespace

void Labels::begin_function() {
  Builder b(&function_.getEntryBlock(), function_.getEntryBlock().getFirstInsertionPt());
  caller_ = call(b, "enter", int_, {&function_});
  entry_.push_back(llvm::cast<llvm::Instruction>(caller_));
  for (llvm::Argument& argument : function_.args()) {
    if (argument.hasByValAttr()) {
      // A copy that the compiler has made.
      const uint64_t bytes = layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
      entry_.push_back(llvm::cast<llvm::Instruction>(call(b, "cleared", b.getVoidTy(), {&argument, size(bytes)})));
    }
    if (!is_tracked(argument.getType()) || argument.getArgNo() >= kLabelArguments) continue;
    llvm::Value* value = wide(b, &argument);
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(value)) entry_.push_back(made);
    llvm::Value* given = call(b, "argument", word_,
                              {number(argument.getArgNo()), number(argument.getType()->getIntegerBitWidth()), value});
    entry_.push_back(llvm::cast<llvm::Instruction>(given));
    labels_[&argument] = given;
  }
}

llvm::Instruction* Labels::behind_call(llvm::CallBase& called) {
  if (called.doesNotReturn()) return nullptr;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&called)) {
    llvm::BasicBlock* normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor()) normal = llvm::SplitEdge(invoke->getParent(), normal);
    return &*normal->getFirstInsertionPt();
  }
  auto* direct = llvm::dyn_cast<llvm::CallInst>(&called);
  return direct && !direct->isMustTailCall() ? direct->getNextNode() : nullptr;
}

void Labels::visit_call(llvm::CallBase& called) {
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&called)) return visit_intrinsic(*intrinsic);
  const llvm::Function* callee = called.getCalledFunction();
  if (callee && (Hooks::is_hook(callee->getName()) || is_undefined(called))) return;
  FollowedCall followed{&called, {}, only_prints(called)};
  for (llvm::Value* argument : called.args())
    followed.labels.push_back(may_have_label(argument) ? label(argument) : nullptr);
  if (called.isInlineAsm()) fix_operands(called);
  const bool prints = followed.prints;
  calls_.push_back(std::move(followed));
  for (unsigned i = 0; i < called.arg_size(); ++i) {
    if (!called.isByValArgument(i)) continue;
    Builder b(&called);
    const uint64_t bytes = layout_.getTypeAllocSize(called.getParamByValType(i)).getFixedValue();
    call(b, "needed", b.getVoidTy(), {called.getArgOperand(i), size(bytes), site(called)});
  }
  if (called.isInlineAsm() || prints || !is_tracked(called.getType())) return;
  llvm::Instruction* next = behind_call(called);
  if (!next) return;
  Builder b(next);
  labels_[&called] =
      call(b, "returned_by", word_,
           {called.getCalledOperand(), number(called.getType()->getIntegerBitWidth()), wide(b, &called)});
}

void Labels::visit_memory_intrinsic(llvm::MemIntrinsic& intrinsic) {
  Builder before(&intrinsic);
  fix(before, intrinsic.getLength(), intrinsic);
  if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&intrinsic)) fix(before, fill->getValue(), intrinsic);
  // Others are the runtime's, which sees to labels.
  llvm::Value* to = intrinsic.getRawDest();
  auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  const bool native = (memory_.is_private(to) || is_automatic_initialisation(intrinsic, to)) &&
                      (!copy || memory_.is_silent_source(copy->getRawSource()));
  if (!native) return;
  Builder b(behind(intrinsic));
  llvm::Value* bytes = wide(b, intrinsic.getLength());
  if (copy)
    call(b, "moved", b.getVoidTy(), {to, copy->getRawSource(), bytes});
  else
    call(b, "cleared", b.getVoidTy(), {to, bytes});
}

/// {a + b, does it overflow?}
void Labels::visit_overflow(llvm::WithOverflowInst& called) {
  llvm::Value *a = called.getLHS(), *c = called.getRHS();
  if (!is_tracked(a->getType()) || (!may_have_label(a) && !may_have_label(c))) return fix_operands(called);
  if (called.getBinaryOp() == llvm::Instruction::Mul) return fix_operands(called);
  const unsigned width = a->getType()->getIntegerBitWidth();
  const bool adds = called.getBinaryOp() == llvm::Instruction::Add;
  Builder b(behind(called));
  llvm::Value* result = b.CreateExtractValue(&called, 0);
  llvm::Value* of_result = binary(b, adds ? LabelOp::Add : LabelOp::Sub, width, a, label(a), c, label(c));
  llvm::Value* overflow;
  if (!called.isSigned()) {
    overflow = adds ? binary(b, LabelOp::Ult, width, result, of_result, a, label(a))
                    : binary(b, LabelOp::Ult, width, a, label(a), c, label(c));
  } else {
    // Both operands (of a subtraction: the first, and not the second) have another sign than the result.
    llvm::Value* one = b.CreateXor(a, result);
    llvm::Value* of_one = binary(b, LabelOp::Xor, width, a, label(a), result, of_result);
    llvm::Value* other = b.CreateXor(adds ? c : a, adds ? result : c);
    llvm::Value* of_other = adds ? binary(b, LabelOp::Xor, width, c, label(c), result, of_result)
                                 : binary(b, LabelOp::Xor, width, a, label(a), c, label(c));
    llvm::Value* both = b.CreateAnd(one, other);
    llvm::Value* of_both = binary(b, LabelOp::And, width, one, of_one, other, of_other);
    overflow = binary(b, LabelOp::Slt, width, both, of_both, llvm::ConstantInt::get(a->getType(), 0), none());
  }
  parts_[&called] = {of_result, overflow};
}

void Labels::visit_extremum(llvm::MinMaxIntrinsic& called) {
  llvm::Value *a = called.getLHS(), *c = called.getRHS();
  if (!is_tracked(a->getType()) || (!may_have_label(a) && !may_have_label(c))) return fix_operands(called);
  const unsigned width = a->getType()->getIntegerBitWidth();
  Builder b(behind(called));
  const bool least =
      called.getIntrinsicID() == llvm::Intrinsic::umin || called.getIntrinsicID() == llvm::Intrinsic::smin;
  llvm::Value *first = least ? a : c, *second = least ? c : a;
  llvm::Value* less = called.isSigned() ? b.CreateICmpSLT(first, second) : b.CreateICmpULT(first, second);
  llvm::Value* of_less =
      binary(b, called.isSigned() ? LabelOp::Slt : LabelOp::Ult, width, first, label(first), second, label(second));
  labels_[&called] =
      call(b, "select", word_, {number(width), wide(b, less), of_less, wide(b, a), label(a), wide(b, c), label(c)});
}

void Labels::visit_intrinsic(llvm::IntrinsicInst& called) {
  if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&called)) return visit_memory_intrinsic(*memory);
  if (auto* overflow = llvm::dyn_cast<llvm::WithOverflowInst>(&called)) return visit_overflow(*overflow);
  if (auto* extremum = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&called)) return visit_extremum(*extremum);
  switch (called.getIntrinsicID()) {
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
      if (may_have_label(called.getArgOperand(0))) labels_[&called] = label(called.getArgOperand(0));
      return;
    default: break;
  }
  if (called.isAssumeLikeIntrinsic() || called.isLifetimeStartOrEnd()) return;
  for (llvm::Value* argument : called.args())
    if (argument->getType()->isMetadataTy()) return;
  fix_operands(called);
  // Accesses of other kinds: vectors, mostly.
  const bool keeps = called.doesNotAccessMemory() || llvm::none_of(called.args(), [](const llvm::Use& argument) {
                       return argument->getType()->isPointerTy();
                     });
  if (keeps) return;
  switch (called.getIntrinsicID()) {
    case llvm::Intrinsic::vastart:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::threadlocal_address: return;
    default: break;
  }
  Builder b(&called);
  call(b, "call", b.getVoidTy(),
       {llvm::ConstantPointerNull::get(b.getPtrTy()), number(static_cast<unsigned>(LabelCall::Unknown)), site(called)});
}

void Labels::settle_entry() {
  llvm::Instruction* first = &*function_.getEntryBlock().getFirstInsertionPt();
  for (llvm::Instruction* instruction : entry_)
    if (instruction == first)
      first = first->getNextNode();
    else
      instruction->moveBefore(first);
}

void Labels::follow_call(const FollowedCall& followed) {
  llvm::CallBase& called = *followed.call;
  Builder b(&called);
  llvm::Value* target = called.getCalledOperand();
  if (llvm::isa<llvm::InlineAsm>(target)) {
    call(b, "call", b.getVoidTy(),
         {llvm::ConstantPointerNull::get(b.getPtrTy()), number(static_cast<unsigned>(LabelCall::Unknown)),
          site(called)});
    return;
  }
  const unsigned fixed_count = called.getFunctionType()->getNumParams();
  auto* row = llvm::ArrayType::get(word_, kLabelArguments);
  llvm::Constant* slots = function_.getParent()->getOrInsertGlobal("__plait_label_arguments", row);
  for (unsigned i = 0; i < called.arg_size(); ++i) {
    if (!is_tracked(called.getArgOperand(i)->getType())) continue;
    llvm::Value* given = followed.labels[i];
    const bool handed = i < fixed_count && i < kLabelArguments && !followed.prints;
    if (handed)
      b.CreateStore(given ? given : none(), b.CreateConstInBoundsGEP2_32(row, slots, 0, i));
    else if (given)
      call(b, followed.prints ? "printed" : "fix", b.getVoidTy(), {given, site(called)});
  }
  // Who is called returns to our caller, who may not be followed.
  auto* direct = llvm::dyn_cast<llvm::CallInst>(&called);
  if (direct && direct->isMustTailCall()) target = llvm::ConstantPointerNull::get(b.getPtrTy());
  const llvm::Function* callee = direct && direct->isMustTailCall() ? nullptr : called.getCalledFunction();
  LabelCall known = LabelCall::Unknown;
  if (callee && callee->hasExactDefinition() && !callee->isDeclaration() && !skipped_.contains(callee))
    known = LabelCall::Followed;
  else if (callee && callee->isDeclaration() && touches_nothing_unseen(callee->getName()))
    known = LabelCall::TouchesNothing;
  call(b, "call", b.getVoidTy(), {target, number(static_cast<unsigned>(known)), site(called)});
}

void Labels::follow_return(const FollowedReturn& followed) {
  llvm::ReturnInst& end = *followed.end;
  if (auto* before = llvm::dyn_cast_or_null<llvm::CallInst>(end.getPrevNode()); before && before->isMustTailCall())
    return;
  Builder b(&end);
  call(b, "return", b.getVoidTy(), {&function_, caller_, followed.label, site(end)});
}

void Labels::follow_calls() {
  for (const FollowedCall& followed : calls_) follow_call(followed);
  for (const FollowedReturn& followed : returns_) follow_return(followed);
  settle_entry();
}

void list_followed(llvm::Module& module, llvm::ArrayRef<llvm::Function*> functions) {
  llvm::SmallVector<llvm::GlobalValue*, 32> rows;
  for (llvm::Function* function : functions) {
    if (function->hasAvailableExternallyLinkage()) continue;
    auto* row = new llvm::GlobalVariable(module, function->getType(), true, llvm::GlobalValue::PrivateLinkage, function,
                                         "plait.followed");
    row->setSection("plait_followed");
    if (llvm::Comdat* group = function->getComdat()) row->setComdat(group);
    rows.push_back(row);
  }
  llvm::appendToUsed(module, rows);
}

}  // namespace plait::instrument
