// Local variables without a value.
//
// -ftrivial-auto-var-init gives them a pattern, by stores that carry the annotation "auto-init". Before variables
// become registers, each such value is made the result of a call ("plait.undefined.TYPE", with the pattern as its
// argument), so that it can still be told from a constant of the program's afterwards (shadows.h). In the end the
// pattern takes the call's place again.
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Is this the pattern of -ftrivial-auto-var-init in a local whose life begins?
bool is_automatic_initialisation(const llvm::Instruction& instruction, llvm::Value* target);

struct MarkUndefinedPass : llvm::PassInfoMixin<MarkUndefinedPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

bool is_undefined(const llvm::Value& value);
/// All of a module.
void remove_undefined(llvm::Module& module);

/// Stores that were only there for variables that become registers.
void remove_repeated(llvm::Function& function);

/// Where va_start writes.
void instrument_lists(llvm::Function& function, Hooks& hooks);

}  // namespace plait::instrument
