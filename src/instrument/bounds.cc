#include "instrument/bounds.h"

#include "instrument/describe.h"
#include "instrument/private_memory.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace plait::instrument {

namespace {

using llvm::APInt;
using llvm::ConstantRange;

struct Access {
  llvm::Instruction* instruction;
  llvm::Value* pointer;
  uint64_t size;        // 0: `length` says it
  llvm::Value* length;  // of memory intrinsics
  bool writes;
};

struct Object {
  llvm::Value* root = nullptr;
  uint64_t size = 0;             // of one element, if there is a count
  llvm::Value* count = nullptr;  // of a variable-length array
  const char* sort = "";         // for messages
};

/// offset = constant + the sum of scale * value
struct Offset {
  llvm::MapVector<llvm::Value*, APInt> variable;
  APInt constant{64, 0};
};

void collect(llvm::Instruction& instruction, llvm::SmallVectorImpl<Access>& found) {
  const llvm::DataLayout& layout = instruction.getDataLayout();
  auto add = [&](llvm::Value* pointer, llvm::Type* type, bool writes) {
    const llvm::TypeSize size = layout.getTypeStoreSize(type);
    if (!size.isScalable() && !size.isZero())
      found.push_back({&instruction, pointer, size.getFixedValue(), nullptr, writes});
  };
  auto add_range = [&](llvm::Value* pointer, llvm::Value* length, bool writes) {
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(length);
    if (constant && constant->isZero()) return;
    found.push_back({&instruction, pointer, constant ? constant->getZExtValue() : 0, length, writes});
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    add(load->getPointerOperand(), load->getType(), false);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    add(store->getPointerOperand(), store->getValueOperand()->getType(), true);
  } else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    add(rmw->getPointerOperand(), rmw->getType(), true);
  } else if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    add(cas->getPointerOperand(), cas->getNewValOperand()->getType(), true);
  } else if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&instruction)) {
    add_range(copy->getRawDest(), copy->getLength(), true);
    add_range(copy->getRawSource(), copy->getLength(), false);
  } else if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&instruction)) {
    add_range(fill->getRawDest(), fill->getLength(), true);
  }
}

/// Without a root: nothing is known of it.
Object object_of(llvm::Value* pointer, const llvm::DataLayout& layout) {
  llvm::Value* root = root_of(pointer);
  auto sized = [&](llvm::Type* type, const char* sort) -> Object {
    if (!type->isSized() || layout.getTypeAllocSize(type).isScalable()) return {};
    return {root, layout.getTypeAllocSize(type).getFixedValue(), nullptr, sort};
  };
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(root)) {
    Object object = sized(variable->getAllocatedType(), "a local variable");
    if (auto* count = llvm::dyn_cast<llvm::ConstantInt>(variable->getArraySize()))
      object.size *= count->getZExtValue();
    else
      object.count = variable->getArraySize();
    return object;
  }
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(root); argument && argument->hasByValAttr())
    return sized(argument->getParamByValType(), "a parameter");
  // Another unit's definition of a weak symbol may be larger.
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(root); variable && variable->hasDefinitiveInitializer())
    return sized(variable->getValueType(), variable->isThreadLocal() ? "a thread-local variable"
                                           : variable->isConstant()  ? "a constant"
                                                                     : "a global variable");
  return {};
}

bool collect_offset(llvm::Value* pointer, const llvm::DataLayout& layout, Offset& offset) {
  while (true) {
    if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      if (!gep->getType()->isPointerTy() || !gep->collectOffset(layout, 64, offset.variable, offset.constant))
        return false;
      pointer = gep->getPointerOperand();
    } else if (llvm::isa<llvm::BitCastOperator, llvm::AddrSpaceCastOperator>(pointer)) {
      pointer = llvm::cast<llvm::Operator>(pointer)->getOperand(0);
    } else {
      return true;
    }
  }
}

/// Is a single access at a constant offset?
bool is_fixed(const Access& access, const Object& object, const Offset& offset) {
  return offset.variable.empty() && access.size && !object.count;
}

bool lies_inside(const Access& access, const Object& object, const Offset& offset) {
  return access.size <= object.size && offset.constant.ule(object.size - access.size);
}

/// What the offset can be where the instruction stands: loops tell one end of it, conditions in front of the access the
/// other.
ConstantRange range_of(const Offset& offset, llvm::Instruction& at, llvm::ScalarEvolution& evolution,
                       llvm::LazyValueInfo& values) {
  ConstantRange sum(offset.constant);
  for (const auto& [value, scale] : offset.variable) {
    ConstantRange range = values.getConstantRange(value, &at, /*UndefAllowed=*/false);
    if (evolution.isSCEVable(value->getType()))
      range = range.intersectWith(evolution.getSignedRange(evolution.getSCEV(value)));
    range = range.sextOrTrunc(64);
    sum = sum.add(range.multiply(ConstantRange(scale)));
  }
  return sum;
}

bool provably_inside(const Access& access, const Object& object, const ConstantRange& offset) {
  if (object.count || !access.size || access.size > object.size) return false;
  return offset.getUnsignedMax().ule(object.size - access.size);
}

llvm::Value* emit_offset(Builder& b, const Offset& offset) {
  llvm::Value* sum = b.getInt64(offset.constant.getZExtValue());
  for (const auto& [value, scale] : offset.variable)
    sum = b.CreateAdd(sum, b.CreateMul(b.CreateSExtOrTrunc(value, b.getInt64Ty()), b.getInt64(scale.getZExtValue())));
  return sum;
}

llvm::Value* emit_outside(Builder& b, llvm::Value* offset, llvm::Value* length, llvm::Value* size) {
  llvm::Value* beyond = b.CreateICmpUGT(offset, size);
  llvm::Value* too_long = b.CreateICmpUGT(length, b.CreateSub(size, offset));
  llvm::Value* outside = b.CreateOr(beyond, too_long);
  return llvm::isa<llvm::ConstantInt>(length) ? outside : b.CreateAnd(outside, b.CreateICmpNE(length, b.getInt64(0)));
}

struct Check {
  Access access;
  Object object;
  Offset offset;
  std::string object_text, access_text;
};

std::string describe(const Object& object, Describer& describer) {
  const std::string name = describer.access(object.root, object.count ? 0 : object.size);
  return (name.empty() ? name : name + ", ") + object.sort;
}

void insert(const Check& check, Hooks& hooks, llvm::Constant* site, Strings& strings) {
  const Access& access = check.access;
  Builder b(access.instruction);
  llvm::Value* size = b.getInt64(check.object.size);
  if (check.object.count) size = b.CreateMul(size, b.CreateZExtOrTrunc(check.object.count, b.getInt64Ty()));
  llvm::Value* length = access.size ? b.getInt64(access.size) : b.CreateZExtOrTrunc(access.length, b.getInt64Ty());
  llvm::Value* offset = emit_offset(b, check.offset);
  llvm::Value* outside = emit_outside(b, offset, length, size);
  llvm::Instruction* then = access.instruction;
  if (!llvm::isa<llvm::ConstantInt>(outside))
    then = llvm::SplitBlockAndInsertIfThen(outside, access.instruction, false,
                                           llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  Builder cold(then);
  cold.SetCurrentDebugLocation(access.instruction->getDebugLoc());
  hooks.out_of_bounds(cold, offset, length, access.writes, size, strings.get(check.object_text), site);
}

/// The checks of ConstantBoundsPass could have no site yet.
void add_missing_sites(llvm::Function& function, Sites& sites) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (Hooks::is_bounds_failure(&instruction)) {
      auto* call = llvm::cast<llvm::CallInst>(&instruction);
      call->setArgOperand(call->arg_size() - 1, sites.site(*call, ""));
    }
}

template <class Wanted>
llvm::SmallVector<Check, 8> collect_checks(llvm::Function& function, Wanted wanted) {
  llvm::SmallVector<Access, 32> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function)) collect(instruction, accesses);
  llvm::SmallVector<Check, 8> checks;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const Access& access : accesses) {
    Check check{access, object_of(access.pointer, layout), {}, {}, {}};
    if (!check.object.root || check.object.size == 0 || !collect_offset(access.pointer, layout, check.offset)) continue;
    if (is_fixed(access, check.object, check.offset) && lies_inside(access, check.object, check.offset)) continue;
    if (Hooks::is_bounds_failure(access.instruction->getPrevNonDebugInstruction())) continue;  // done already
    if (wanted(check)) checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace

void check_bounds(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Hooks& hooks, Sites& sites,
                  Strings& strings) {
  add_missing_sites(function, sites);
  llvm::ScalarEvolution* evolution = nullptr;
  llvm::LazyValueInfo* values = nullptr;
  auto checks = collect_checks(function, [&](const Check& check) {
    if (!evolution) {
      evolution = &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
      values = &analyses.getResult<llvm::LazyValueAnalysis>(function);
    }
    return !provably_inside(check.access, check.object,
                            range_of(check.offset, *check.access.instruction, *evolution, *values));
  });
  Describer describer(function);
  for (Check& check : checks) {
    check.object_text = describe(check.object, describer);
    check.access_text = describer.access(check.access.pointer, check.access.size);
  }
  for (const Check& check : checks)
    insert(check, hooks, sites.site(*check.access.instruction, check.access_text), strings);
  if (!checks.empty()) analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

llvm::PreservedAnalyses ConstantBoundsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  auto checks = collect_checks(function, [](const Check& check) {
    return llvm::isa<llvm::AllocaInst>(check.object.root) && is_fixed(check.access, check.object, check.offset);
  });
  if (checks.empty()) return llvm::PreservedAnalyses::all();
  Hooks hooks(*function.getParent());
  Strings strings(*function.getParent());
  Describer describer(function);
  for (Check& check : checks) {
    check.object_text = describe(check.object, describer);
    insert(check, hooks, llvm::ConstantPointerNull::get(llvm::PointerType::get(function.getContext(), 0)), strings);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace plait::instrument
