#include "instrument/vtables.h"

#include "instrument/llvm.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace plait::instrument {
namespace {

bool is_destructor(llvm::StringRef name) {
  if (!name.contains("D1Ev") && !name.contains("D2Ev") && !name.contains("D0Ev")) return false;
  llvm::ItaniumPartialDemangler parts;
  return !parts.partialDemangle(name.str().c_str()) && parts.isCtorOrDtor();
}

/// A class with virtual bases has its tables handed over; then only the kind of access tells.
bool stores_vtable(const llvm::StoreInst& store) {
  if (!store.getValueOperand()->getType()->isPointerTy()) return false;
  const llvm::MDNode* tag = store.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag && tag->isTBAAVtableAccess()) return true;
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(store.getValueOperand()));
  return table && (table->getName().starts_with("_ZTV") || table->getName().starts_with("_ZTC"));
}

void store_if_changed(llvm::StoreInst& store) {
  llvm::IRBuilder<> builder(&store);
  llvm::LoadInst* old = builder.CreateLoad(store.getValueOperand()->getType(), store.getPointerOperand());
  old->copyMetadata(store, {llvm::LLVMContext::MD_tbaa});
  llvm::Value* changes = builder.CreateICmpNE(old, store.getValueOperand());
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(changes, &store, false);
  store.moveBefore(then);
}

}  // namespace

llvm::PreservedAnalyses UnchangedVtablesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::StoreInst*, 16> stores;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !is_destructor(function.getName())) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && stores_vtable(*store))
        stores.push_back(store);
  }
  for (llvm::StoreInst* store : stores) store_if_changed(*store);
  return stores.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace plait::instrument
