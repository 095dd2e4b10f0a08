#include "instrument/redirect.h"

#include "instrument/llvm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

namespace plait::instrument {

namespace {

constexpr const char* kRedirected[] = {
#define PLAIT_REDIRECT(name) #name,
#include "instrument/redirect.def"
#undef PLAIT_REDIRECT
};

/// The length of a literal needs no run-time call: every std::string("...") would otherwise make one.
void fold_literal_lengths(llvm::Function& strlen) {
  for (llvm::User* user : llvm::make_early_inc_range(strlen.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != &strlen || call->arg_size() != 1) continue;
    const uint64_t with_terminator = llvm::GetStringLength(call->getArgOperand(0));
    if (with_terminator == 0) continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), with_terminator - 1));
    call->eraseFromParent();
  }
}

/// The program's own allocator gets another name: libc keeps its own, and the runtime's function calls the program's.
bool is_own_allocator(llvm::StringRef name, const llvm::Function& function) {
  constexpr llvm::StringRef kAllocators[] = {"malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign"};
  return !function.isDeclaration() && function.hasExternalLinkage() && llvm::is_contained(kAllocators, name);
}

void redirect(llvm::Module& module, llvm::StringRef name, llvm::Function* function) {
  if (function && is_own_allocator(name, *function)) {
    function->setName("__plait_own_" + name);
    return;
  }
  // Bodies that exist only to be inlined (gnu_inline in headers) stand for the library's function.
  if (!function || (!function->isDeclaration() && !function->hasAvailableExternallyLinkage())) return;
  if (function->isIntrinsic()) return;
  if (name == "strlen") fold_literal_lengths(*function);
  auto* type = function->getFunctionType();
  auto* target = llvm::cast<llvm::Function>(module.getOrInsertFunction(("__plait_" + name).str(), type).getCallee());
  if (function->doesNotThrow()) target->setDoesNotThrow();
  target->setCallingConv(function->getCallingConv());
  function->replaceAllUsesWith(target);
  function->eraseFromParent();
}

}  // namespace

void redirect_library(llvm::Module& module) {
  for (llvm::StringRef name : kRedirected) {
    redirect(module, name, module.getFunction(name));
    redirect(module, name, module.getFunction(("\01" + name).str()));  // declared with an asm label
  }
}

}  // namespace plait::instrument
