#include "instrument/timed_waits.h"

#include <cstdlib>

#include "instrument/llvm.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

namespace {

constexpr const char* kHook = "__plait_timed_wait";
constexpr const char* kLook = "__plait_look";

bool is_look(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == "_ZNSt6chrono3_V212steady_clock3nowEv";
}

/// What the library itself does, not what it is handed by the program: a predicate has a name of its own.
bool is_library(llvm::StringRef name) {
  return name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") || name.starts_with("_ZSt");
}

bool waits_for_a_while(const std::string& name) {
  llvm::ItaniumPartialDemangler parts;
  if (parts.partialDemangle(name.c_str()) || !parts.isFunction()) return false;
  size_t size = 0;
  char* base = parts.getFunctionBaseName(nullptr, &size);
  const bool does = base && llvm::StringSwitch<bool>(base)
                                .Cases("wait_for", "try_lock_for", "try_lock_shared_for", "try_acquire_for", true)
                                .Default(false);
  std::free(base);
  return does;
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
    if (function.isDeclaration() || !is_library(function.getName())) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!is_look(instruction)) continue;
      auto& call = llvm::cast<llvm::CallBase>(instruction);
      call.setCalledFunction(module.getOrInsertFunction(kLook, call.getFunctionType()));
      changed = true;
    }
    if (!waits_for_a_while(function.getName().str())) continue;
    enclose(function);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace plait::instrument
