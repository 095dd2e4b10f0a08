#include "instrument/inner_release.h"

#include "instrument/llvm.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

namespace {

constexpr const char* kHook = "__plait_inner_release";
constexpr const char* kRequestStop = "_ZNSt10stop_token13_Stop_state_t15_M_request_stopEv";

bool is_release(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("_ZNSt18counting_semaphore") && callee->getName().contains("release");
}

}  // namespace

llvm::PreservedAnalyses InnerReleasePass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* function = module.getFunction(kRequestStop);
  if (!function || function->isDeclaration()) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::CallInst*, 2> releases;
  for (llvm::Instruction& instruction : llvm::instructions(*function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && is_release(*call)) releases.push_back(call);
  for (llvm::CallInst* call : releases) {
    llvm::IRBuilder<> builder(call);
    const llvm::FunctionCallee hook = module.getOrInsertFunction(kHook, builder.getVoidTy(), builder.getInt32Ty());
    builder.CreateCall(hook, builder.getInt32(1));
    builder.SetInsertPoint(call->getNextNode());
    builder.CreateCall(hook, builder.getInt32(0));
  }
  return releases.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace plait::instrument
