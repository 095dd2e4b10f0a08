// Which memory no other thread, and no hook, can reach.
//
// A pointer to private memory is used for nothing but native accesses: the decision is one per object, never per
// access, so that an object's accesses are either all hooked or all native. (With store buffers a mixture would read
// old values.)
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

namespace plait::instrument {

/// The object that a pointer is computed from by constant or variable offsets only.
llvm::Value* root_of(llvm::Value* pointer);

/// Is a pointer to the object used for anything but accesses that stay native?
bool escapes(llvm::Value& object);

/// thread_local variables of this unit whose address is never taken. Must be built before the module changes.
class ThreadLocals {
 public:
  explicit ThreadLocals(llvm::Module& module);
  bool is_private(const llvm::GlobalVariable& variable) const { return private_.contains(&variable); }

 private:
  llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> private_;
};

class PrivateMemory {
 public:
  PrivateMemory(llvm::Function& function, const ThreadLocals& thread_locals);
  bool is_private(llvm::Value* pointer);
  /// Private, or a constant: may be read natively.
  bool is_silent_source(llvm::Value* pointer);

 private:
  const ThreadLocals& thread_locals_;
  bool coroutine_;  // its locals may live in a heap frame that another thread resumes
  llvm::DenseMap<llvm::Value*, bool> known_;
};

}  // namespace plait::instrument
