// What nobody initialises in local structs: bytes between and behind members, storage of unions. Temporaries and
// closures get no pattern from -ftrivial-auto-var-init, and variables with an initialiser none between their members.
// Such bytes are copied along (a closure goes into a std::function, that into a queue), and what lay on the stack would
// become part of what others read. They are zeroed where the variable's life begins.
#pragma once
#include "llvm/IR/Instruction.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Before variables become registers.
struct ClearHolesPass : llvm::PassInfoMixin<ClearHolesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Is it one of the stores that this pass has added? It is no access of the program's.
bool clears_holes(const llvm::Instruction& instruction);

}  // namespace plait::instrument
