#include "instrument/holes.h"

#include "instrument/llvm.h"
#include "instrument/undefined.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {
namespace {

constexpr const char* kMark = "plait.hole";
constexpr uint64_t kLargest = 256;  // of variables that are looked at
constexpr uint64_t kStorage = 32;   // an array of bytes in a struct that is no text: what a union or std::any holds

/// Takes the bytes of the type's members out of `holes`.
void cover(llvm::Type* type, uint64_t offset, const llvm::DataLayout& layout, llvm::BitVector& holes, bool inside) {
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(fields);
    for (unsigned i = 0; i < fields->getNumElements(); ++i)
      cover(fields->getElementType(i), offset + places->getElementOffset(i).getFixedValue(), layout, holes, true);
    return;
  }
  auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
  const uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  if (array && array->getElementType()->isIntegerTy(8) && inside && size <= kStorage) return;
  if (array && array->getElementType()->isAggregateType()) {
    const uint64_t step = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      cover(array->getElementType(), offset + i * step, layout, holes, true);
    return;
  }
  if (size) holes.reset(static_cast<unsigned>(offset), static_cast<unsigned>(offset + size));
}

llvm::BitVector holes_of(const llvm::AllocaInst& variable) {
  const llvm::DataLayout& layout = variable.getDataLayout();
  const auto size = variable.getAllocationSize(layout);
  if (!variable.isStaticAlloca() || variable.isArrayAllocation() || !variable.getAllocatedType()->isAggregateType() ||
      !size || size->isScalable() || size->getFixedValue() > kLargest)
    return {};
  llvm::BitVector holes(static_cast<unsigned>(size->getFixedValue()), true);
  cover(variable.getAllocatedType(), 0, layout, holes, false);
  return holes;
}

/// Variables with a pattern of their own.
llvm::SmallPtrSet<const llvm::Value*, 16> filled_variables(llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::Value*, 16> filled;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    if (!store && !fill) continue;
    llvm::Value* target = store ? store->getPointerOperand() : fill->getRawDest();
    if (is_automatic_initialisation(instruction, target)) filled.insert(llvm::getUnderlyingObject(target));
  }
  return filled;
}

void clear(llvm::AllocaInst& variable, const llvm::BitVector& holes, llvm::Instruction& before) {
  llvm::IRBuilder<> b(&before);
  for (int begin = holes.find_first(); begin >= 0;) {
    const int stop = holes.find_next_unset(static_cast<unsigned>(begin));
    const int end = stop < 0 ? static_cast<int>(holes.size()) : stop;
    const auto from = static_cast<uint64_t>(begin);
    llvm::Value* at = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), &variable, from);
    llvm::CallInst* fill = b.CreateMemSet(at, b.getInt8(0), static_cast<uint64_t>(end - begin),
                                          llvm::commonAlignment(variable.getAlign(), from));
    fill->setMetadata(kMark, llvm::MDNode::get(variable.getContext(), {}));
    begin = stop < 0 ? -1 : holes.find_next(static_cast<unsigned>(stop));
  }
}

}  // namespace

llvm::PreservedAnalyses ClearHolesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::AllocaInst*, 16> variables;
  const llvm::SmallPtrSet<const llvm::Value*, 16> filled = filled_variables(function);
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction); variable && !filled.contains(variable))
      variables.push_back(variable);
  bool changed = false;
  for (llvm::AllocaInst* variable : variables) {
    const llvm::BitVector holes = holes_of(*variable);
    if (holes.none()) continue;
    llvm::SmallVector<llvm::Instruction*, 4> begins;
    for (llvm::User* user : variable->users())
      if (auto* call = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user);
          call && call->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
        begins.push_back(call->getNextNode());
    if (begins.empty()) begins.push_back(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (llvm::Instruction* begin : begins) clear(*variable, holes, *begin);
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

bool clears_holes(const llvm::Instruction& instruction) { return instruction.hasMetadata(kMark); }

}  // namespace plait::instrument
