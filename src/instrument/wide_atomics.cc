#include "instrument/wide_atomics.h"

#include "instrument/hooks.h"
#include "llvm/IR/Instructions.h"

namespace plait::instrument {

namespace {

void copy(Builder& b, llvm::Value* to, llvm::Value* from, llvm::Value* size) {
  b.CreateMemMove(to, llvm::Align(1), from, llvm::Align(1), size);
}

/// compare_exchange(size, object, expected, desired, order, failure order). Both outcomes are one copy, so that no
/// branch is needed: desired to object, or object to expected.
llvm::Value* compare_exchange(llvm::Module& module, Builder& b, llvm::CallInst& call) {
  llvm::Value *size = call.getArgOperand(0), *object = call.getArgOperand(1), *expected = call.getArgOperand(2),
              *desired = call.getArgOperand(3);
  llvm::FunctionCallee compare =
      module.getOrInsertFunction("memcmp", b.getInt32Ty(), b.getPtrTy(), b.getPtrTy(), b.getInt64Ty());
  llvm::Value* equal = b.CreateICmpEQ(b.CreateCall(compare, {object, expected, size}), b.getInt32(0));
  copy(b, b.CreateSelect(equal, object, expected), b.CreateSelect(equal, desired, object), size);
  return b.CreateZExtOrTrunc(equal, call.getType());
}

void expand(llvm::Module& module, llvm::CallInst& call, llvm::StringRef operation) {
  Builder b(&call);
  llvm::Value *size = call.getArgOperand(0), *object = call.getArgOperand(1), *second = call.getArgOperand(2);
  b.CreateCall(module.getOrInsertFunction("__plait_atomic_begin", b.getVoidTy()));
  llvm::Value* result = nullptr;
  if (operation == "load") {
    copy(b, second, object, size);
  } else if (operation == "store") {
    copy(b, object, second, size);
  } else if (operation == "exchange") {
    copy(b, call.getArgOperand(3), object, size);
    copy(b, object, second, size);
  } else {
    result = compare_exchange(module, b, call);
  }
  b.CreateCall(module.getOrInsertFunction("__plait_atomic_end", b.getVoidTy()));
  if (result) call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace

void expand_wide_atomics(llvm::Module& module) {
  for (llvm::StringRef operation : {"load", "store", "exchange", "compare_exchange"}) {
    llvm::Function* function = module.getFunction(("__atomic_" + operation).str());
    if (!function || !function->isDeclaration()) continue;
    const size_t parameters = operation == "compare_exchange" ? 6 : operation == "exchange" ? 5 : 4;
    for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && call->getCalledFunction() == function && call->arg_size() == parameters)
        expand(module, *call, operation);
    }
  }
}

}  // namespace plait::instrument
