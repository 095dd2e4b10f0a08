// Red zones around local variables whose address leaves their function (runtime/local_zones.h), and where frames are
// left.
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "instrument/sites.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

/// Locals whose accesses, those of the functions that they are handed to included, are not all known to lie inside.
/// Must be built before the module changes.
class UnsafeLocals {
 public:
  UnsafeLocals(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  bool contains(const llvm::AllocaInst& variable) const { return unsafe_.contains(&variable); }

 private:
  llvm::SmallPtrSet<const llvm::AllocaInst*, 32> unsafe_;
};

struct Zones {
  uint64_t front = 0, back = 0;
  uint64_t packed() const { return front | back << 32; }
};
Zones zones_of(uint64_t size, llvm::Align alignment);

/// Puts a larger variable in the place of one of a fixed size. The old one is gone.
void make_room(llvm::AllocaInst& variable, Zones zones);

/// Where a function is left: in front of these instructions its variables end.
llvm::SmallVector<llvm::Instruction*, 4> exits_of(llvm::Function& function);

/// Variables without a fixed size, parameters by value, and the places where control arrives from frames that have not
/// ended in an orderly way.
struct StackWork {
  struct Variable {
    llvm::AllocaInst* variable;
    llvm::Constant* site;
  };
  struct Parameter {  // by value: its place on the stack is the caller's
    llvm::Argument* argument;
    llvm::Constant* site;
  };
  llvm::SmallVector<Variable, 2> variables;
  llvm::SmallVector<Parameter, 2> parameters;
  llvm::SmallVector<llvm::Instruction*, 4> arrivals;
  llvm::SmallVector<llvm::IntrinsicInst*, 2> restores;  // of the stack pointer
  llvm::SmallVector<llvm::Instruction*, 4> exits;
  bool releases = false;  // the whole frame at its exits
};
/// To be asked before accesses are rewritten: hook calls look like escapes.
StackWork collect_stack_work(llvm::Function& function, Sites& sites, const ThreadLocals& thread_locals);
void instrument_stack(llvm::Function& function, const StackWork& work, Hooks& hooks);

}  // namespace plait::instrument
