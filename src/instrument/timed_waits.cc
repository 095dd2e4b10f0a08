#include "instrument/timed_waits.h"

#include "instrument/function_names.h"
#include "instrument/llvm.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

namespace {

constexpr const char* kHook = "__plait_timed_wait";
constexpr const char* kLook = "__plait_look";

bool is_look(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == "_ZNSt6chrono3_V212steady_clock3nowEv" ||
                    callee->getName() == "_ZNSt6chrono3_V212system_clock3nowEv");
}

bool waits_for_a_while(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(base_name(name))
      .Cases("wait_for", "try_lock_for", "try_lock_shared_for", "try_acquire_for", true)
      .Default(false);
}

void enclose(llvm::Function& function) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  const llvm::FunctionCallee hook =
      function.getParent()->getOrInsertFunction(kHook, builder.getVoidTy(), builder.getInt32Ty());
  builder.CreateCall(hook, builder.getInt32(1));
  for (llvm::BasicBlock& block : function) {
    llvm::Instruction* last = block.getTerminator();
    if (!llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(last)) continue;
    builder.SetInsertPoint(last);
    builder.CreateCall(hook, builder.getInt32(0));
  }
}

}  // namespace

llvm::PreservedAnalyses TimedWaitsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !is_standard_library(function.getName())) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!is_look(instruction)) continue;
      auto& call = llvm::cast<llvm::CallBase>(instruction);
      call.setCalledFunction(module.getOrInsertFunction(kLook, call.getFunctionType()));
      changed = true;
    }
    if (!waits_for_a_while(function.getName())) continue;
    enclose(function);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace plait::instrument
