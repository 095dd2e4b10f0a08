#include "instrument/float_modes.h"

#include "instrument/llvm.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace plait::instrument {

namespace {

constexpr const char* kHook = "__plait_uses_float_modes";

/// fenv.h, glibc's additions to it, and the intrinsics that stand for instructions or for fenv.h.
bool is_about_modes(llvm::StringRef name) {
  if (name.starts_with("llvm."))
    return name.ends_with("mxcsr") || name.contains("rounding") || name.contains("fpenv") || name.contains("fpmode");
  return llvm::StringSwitch<bool>(name)
      .Cases("feclearexcept", "fegetexceptflag", "feraiseexcept", "fesetexceptflag", "fetestexcept", true)
      .Cases("fegetround", "fesetround", "fegetenv", "feholdexcept", "fesetenv", "feupdateenv", true)
      .Cases("feenableexcept", "fedisableexcept", "fegetexcept", "fesetexcept", "fetestexceptflag", true)
      .Cases("fegetmode", "fesetmode", "__fpu_control", true)
      .Default(false);
}

/// ldmxcsr, fldcw, fnstsw, fldenv, fnclex, fxrstor, xrstor and their like.
bool is_about_modes(const llvm::InlineAsm& assembly) {
  const std::string text = llvm::StringRef(assembly.getAsmString()).lower();
  for (const char* part : {"mxcsr", "ldcw", "stcw", "stsw", "ldenv", "stenv", "clex", "init", "save", "rstor"})
    if (llvm::StringRef(text).contains(part)) return true;
  return false;
}

bool uses_modes(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) {
      if (is_about_modes(function.getName()) && !function.use_empty()) return true;
      continue;
    }
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto* assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (assembly && is_about_modes(*assembly)) return true;
    }
  }
  return !module.getModuleInlineAsm().empty();  // functions in assembly: whatever they do
}

}  // namespace

void announce_float_modes(llvm::Module& module) {
  if (!uses_modes(module)) return;
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto hook = module.getOrInsertFunction(kHook, type);
  llvm::appendToGlobalCtors(module, llvm::cast<llvm::Function>(hook.getCallee()), 0);
}

}  // namespace plait::instrument
