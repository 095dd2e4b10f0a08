#include "instrument/destructors.h"

#include "instrument/llvm.h"
#include "llvm/Transforms/Utils/LowerGlobalDtors.h"

namespace plait::instrument {
namespace {

constexpr uint64_t kPriorities = 65536;
constexpr uint64_t kReserved = 100;  // priorities below are no program's

/// LLVM registers a destructor where constructors of the same priority run. Among themselves they keep their order.
llvm::Constant* sooner(llvm::Constant* entry) {
  auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry);
  if (!fields) return entry;
  auto* priority = llvm::dyn_cast<llvm::ConstantInt>(fields->getOperand(0));
  if (!priority) return entry;
  llvm::SmallVector<llvm::Constant*, 3> parts{
      llvm::ConstantInt::get(priority->getType(), priority->getZExtValue() * kReserved / kPriorities)};
  for (unsigned i = 1; i < fields->getNumOperands(); ++i) parts.push_back(fields->getOperand(i));
  return llvm::ConstantStruct::get(fields->getType(), parts);
}

}  // namespace

llvm::PreservedAnalyses RegisterDestructorsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_dtors");
  if (!list || !list->hasInitializer()) return llvm::PreservedAnalyses::all();
  auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  if (!entries) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::Constant*, 8> changed;
  for (llvm::Value* entry : entries->operands()) changed.push_back(sooner(llvm::cast<llvm::Constant>(entry)));
  list->setInitializer(llvm::ConstantArray::get(entries->getType(), changed));
  return llvm::LowerGlobalDtorsPass().run(module, analyses);
}

}  // namespace plait::instrument
