// Local variables that stay in memory but that nobody else can reach: their accesses are native, and so is their
// shadow, a twin variable with a set bit for each bit that has no value.
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

class Shadows;

/// Without a value when they come to life. To be asked before accesses are rewritten: hook calls look like escapes.
using PrivateVariables = llvm::SmallVector<llvm::AllocaInst*, 8>;
PrivateVariables collect_private_variables(llvm::Function& function, const ThreadLocals& thread_locals);

class PrivateShadows {
 public:
  /// Makes the twins, and gives those of loads their places.
  PrivateShadows(const PrivateVariables& variables, Hooks& hooks);

  /// What loads of such variables find, with its shadow.
  const llvm::DenseMap<llvm::Value*, llvm::Value*>& loaded() const { return loaded_; }
  /// Everything else that uses them.
  void instrument(Shadows& shadows);

 private:
  void collect(llvm::Value& pointer);
  llvm::Value* twin(llvm::Value* pointer);
  void load(llvm::LoadInst& load);
  void store(llvm::StoreInst& store, Shadows& shadows);
  void fill(llvm::Instruction& behind, llvm::Value* pointer, uint8_t byte, llvm::Value* size);
  void move(llvm::MemTransferInst& copy);
  void use_by_hook(llvm::CallInst& call, llvm::Value* pointer);

  struct Access {
    llvm::Instruction* instruction;
    llvm::Value* pointer;
  };
  Hooks& hooks_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> twins_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> loaded_;
  llvm::SmallVector<Access, 32> accesses_;
};

}  // namespace plait::instrument
