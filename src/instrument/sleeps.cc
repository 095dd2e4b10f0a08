#include "instrument/sleeps.h"

#include "instrument/llvm.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

namespace {

constexpr const char* kHook = "__plait_sleep";

/// The operand that says how long; null: this is something else.
llvm::Value* duration_of(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return nullptr;
  llvm::Value* duration = nullptr;
  if (callee->getName() == "nanosleep" && call.arg_size() == 2) duration = call.getArgOperand(0);
  if (callee->getName() == "clock_nanosleep" && call.arg_size() == 4) {
    auto* flags = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
    if (flags && flags->isZero()) duration = call.getArgOperand(2);  // not until a time
  }
  const bool is_local = duration && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(duration));
  return is_local ? duration : nullptr;
}

}  // namespace

llvm::PreservedAnalyses SleepByValuePass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::CallInst*, 2> sleeps;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && duration_of(*call)) sleeps.push_back(call);
  for (llvm::CallInst* call : sleeps) {
    llvm::IRBuilder<> builder(call);
    llvm::Type* word = builder.getInt64Ty();
    llvm::Value* duration = duration_of(*call);
    llvm::Value* seconds = builder.CreateLoad(word, duration);
    llvm::Value* nanoseconds = builder.CreateLoad(word, builder.CreateConstGEP1_64(word, duration, 1));
    builder.CreateCall(function.getParent()->getOrInsertFunction(kHook, builder.getVoidTy(), word, word),
                       {seconds, nanoseconds});
    // No signal ever interrupts it, so nothing is left of the time.
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 0));
    call->eraseFromParent();
  }
  return sleeps.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace plait::instrument
