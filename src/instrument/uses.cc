#include "instrument/uses.h"

#include "instrument/shadows.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace plait::instrument {

namespace {

struct Question {
  llvm::Instruction* at;
  llvm::Value* value;
  Use use;
};

struct Copy {
  llvm::CallInst* store;
  llvm::Value* to;
  llvm::Value* value;
};

/// Does the function return one value, and not a struct in registers? In C it has no attribute: its end may be reached
/// without a value.
bool returns_scalar(const llvm::Function& function) {
  if (function.hasRetAttribute(llvm::Attribute::NoUndef)) return true;
  const llvm::DISubprogram* source = function.getSubprogram();
  if (!source || !source->getType() || source->getType()->getTypeArray().size() == 0) return false;
  const llvm::DIType* type = source->getType()->getTypeArray()[0];
  while (auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) return true;
    type = derived->getBaseType();
  }
  return type && (llvm::isa<llvm::DIBasicType>(type) || type->getTag() == llvm::dwarf::DW_TAG_enumeration_type);
}

class Uses {
 public:
  Uses(llvm::Function& function, const Shadows& shadows)
      : shadows_(shadows), order_(function), result_(returns_scalar(function)) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) visit(instruction);
  }
  llvm::SmallVector<Question, 32> questions;
  llvm::SmallVector<Copy, 16> copies;

 private:
  void ask(llvm::Instruction& at, llvm::Value* value, Use use) {
    if (!shadows_.may_be_unwritten(value)) return;
    // Where it has been asked on the way, the answer is known.
    llvm::SmallVectorImpl<llvm::Instruction*>& before = asked_[value];
    if (llvm::any_of(before, [&](llvm::Instruction* other) { return order_.dominates(other, &at); })) return;
    before.push_back(&at);
    questions.push_back({&at, value, use});
  }

  void ask_address(llvm::Instruction& at, llvm::Value* pointer) {
    while (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) {
      if (!gep->hasAllConstantIndices()) break;
      pointer = gep->getPointerOperand();
    }
    ask(at, pointer, Use::Address);
  }

  void visit(llvm::Instruction& instruction) {
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
      if (branch->isConditional()) ask(*branch, branch->getCondition(), Use::Condition);
    } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
      ask(*choice, choice->getCondition(), Use::Condition);
    } else if (auto* jump = llvm::dyn_cast<llvm::IndirectBrInst>(&instruction)) {
      ask(*jump, jump->getAddress(), Use::Address);
    } else if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      if (result_ && end->getReturnValue()) ask(*end, end->getReturnValue(), Use::Result);
    } else if (llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      ask_address(instruction, pointer);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      visit_call(*call);
    }
  }

  void visit_call(llvm::CallBase& call) {
    const llvm::Function* callee = call.getCalledFunction();
    if (auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
      ask_address(call, intrinsic->getRawDest());
      ask(call, intrinsic->getLength(), Use::Argument);
      if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic))
        ask_address(call, transfer->getRawSource());
    } else if (callee && callee->getName().starts_with("__plait_label_")) {
      return;
    } else if (callee && Hooks::is_hook(callee->getName())) {
      visit_hook(*llvm::cast<llvm::CallInst>(&call), callee->getName());
    } else if (!llvm::isa<llvm::IntrinsicInst>(call) && !call.isInlineAsm()) {
      if (!callee) ask_address(call, call.getCalledOperand());
      for (unsigned i = 0; i < call.arg_size(); ++i)
        if (call.paramHasAttr(i, llvm::Attribute::NoUndef)) ask(call, call.getArgOperand(i), Use::Argument);
    }
  }

  void visit_hook(llvm::CallInst& call, llvm::StringRef name) {
    for (llvm::Value* argument : call.args())
      if (argument->getType()->isPointerTy()) ask_address(call, argument);
    const bool plain = name.starts_with("__plait_store") && !name.contains("_range") && !name.contains("unwritten");
    if (plain || name.starts_with("__plait_atomic_store")) {
      if (shadows_.may_be_unwritten(call.getArgOperand(1)))
        copies.push_back({&call, call.getArgOperand(0), call.getArgOperand(1)});
    } else if (name.starts_with("__plait_atomic_cas")) {
      ask(call, call.getArgOperand(1), Use::Condition);
    } else if (name.ends_with("_range") || name == "__plait_copy" || name == "__plait_fill") {
      ask(call, call.getArgOperand(2), Use::Argument);
    }
  }

  const Shadows& shadows_;
  llvm::DominatorTree order_;
  bool result_;
  llvm::DenseMap<llvm::Value*, llvm::SmallVector<llvm::Instruction*, 2>> asked_;
};

/// The end of a block in front of `at` that is hardly ever entered.
llvm::Instruction* if_suspected(llvm::Instruction& at, llvm::Value* value, Shadows& shadows) {
  Builder b(&at);
  llvm::MDNode* hardly = llvm::MDBuilder(at.getContext()).createBranchWeights(1, 1 << 20);
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(shadows.suspicion(b, value), &at, false, hardly);
  end->setDebugLoc(at.getDebugLoc());
  return end;
}

}  // namespace

void instrument_uses(llvm::Function& function, const PrivateVariables& variables, Hooks& hooks, Sites& sites) {
  PrivateShadows twins(variables, hooks);
  Shadows shadows(function, twins.loaded());
  const Uses uses(function, shadows);
  for (const Question& question : uses.questions) {
    llvm::Constant* site = sites.site(*question.at, shadows.variable(question.value));
    Builder b(if_suspected(*question.at, question.value, shadows));
    hooks.uninitialised(b, shadows.bits(b, question.value), static_cast<unsigned>(question.use), site);
  }
  for (const Copy& copy : uses.copies) {
    const uint64_t size = copy.value->getType()->getIntegerBitWidth() / 8;
    Builder b(if_suspected(*copy.store->getNextNode(), copy.value, shadows));
    hooks.store_unwritten(b, copy.to, shadows.bits(b, copy.value), size);
  }
  twins.instrument(shadows);
}

}  // namespace plait::instrument
