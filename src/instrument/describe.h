// Says what an access touches, in the words of the source: "total", "account->balance", "slots[i].state".
// From debug information only, and best effort: "" when it cannot tell.
#pragma once
#include <string>

#include "instrument/type_path.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace plait::instrument {

/// "ns::Class::name" of a global variable, its type and where it stands.
struct GlobalName {
  std::string name;
  const llvm::DIType* type = nullptr;
  const llvm::DIFile* file = nullptr;
  unsigned line = 0;
};
GlobalName name_of_global(const llvm::GlobalVariable& variable);

/// For one function; looks at its original accesses, so it must be asked before they are rewritten.
class Describer {
 public:
  explicit Describer(llvm::Function& function) : function_(function) {}
  std::string access(llvm::Value* pointer, uint64_t size);
  /// The variable that lives in this memory; its type may be null.
  struct Variable {
    std::string name;
    const llvm::DIType* type;
  };
  Variable variable(llvm::AllocaInst& memory, uint64_t size);

 private:
  /// Something with a name and a type: an object, or a value.
  struct Expression {
    std::string text;
    const llvm::DIType* type = nullptr;
  };
  Expression object_at(llvm::Value* pointer, uint64_t size, unsigned depth);
  Expression value(llvm::Value* value, unsigned depth);
  Expression compute_value(llvm::Value* value, unsigned depth);

  llvm::Function& function_;
  llvm::DenseMap<llvm::Value*, Expression> values_;
};

}  // namespace plait::instrument
