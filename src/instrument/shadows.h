// Which bits of a value has nobody ever written? As in MemorySanitizer (Stepanov, Serebryany, CGO 2015), but only where
// it can matter: the shadow of a value is computed where somebody asks, in a place that is not reached as long as all
// loads have found written memory.
//
// Values come from loads, which tell the bits (runtime/unwritten.h, private_shadows.h), and from variables without a
// value (undefined.h). Other values, parameters and results of calls among them, are complete: what is handed over is
// asked about before (uses.h).
#pragma once
#include <string>

#include "instrument/hooks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace plait::instrument {

class Shadows {
 public:
  /// After accesses are rewritten. `loaded`: what other loads find, with its shadow.
  Shadows(llvm::Function& function, const llvm::DenseMap<llvm::Value*, llvm::Value*>& loaded);

  /// Can some of its bits be unwritten?
  bool may_be_unwritten(const llvm::Value* value) const { return doubtful_.contains(value); }

  /// True where a load that the value depends on has found unwritten memory. Cheap.
  llvm::Value* suspicion(Builder& b, llvm::Value* value);
  /// A set bit for each unwritten one, exactly; as 64 bits. The values that it depends on must be available at `b`.
  llvm::Value* bits(Builder& b, llvm::Value* value);
  /// The same as an integer of the value's own width, which must be one, two, four or eight bytes.
  llvm::Value* exact(Builder& b, llvm::Value* value);
  /// The name of a variable without a value that it depends on, if there is one.
  std::string variable(llvm::Value* value);

 private:
  using Known = llvm::DenseMap<llvm::Value*, llvm::Value*>;

  void find_doubtful(llvm::Function& function);
  bool is_source(const llvm::Value& value) const;
  bool is_leaf(llvm::Value* value);
  unsigned height(llvm::Value* value);
  void collect_leaves(llvm::Value* value, llvm::SmallPtrSetImpl<llvm::Value*>& seen,
                      llvm::SmallVectorImpl<llvm::Value*>& leaves);
  llvm::Value* leaf(llvm::Value* value);
  llvm::Value* leaf_of_load(llvm::ExtractValueInst& loaded);
  llvm::Value* leaf_of_phi(llvm::PHINode& phi);
  llvm::Value* shadow(Builder& b, llvm::Value* value, Known& known);
  llvm::Value* compute(Builder& b, llvm::Instruction& instruction, Known& known);
  llvm::Value* of_binary(Builder& b, llvm::BinaryOperator& operation, Known& known);
  llvm::Value* of_comparison(Builder& b, llvm::ICmpInst& comparison, Known& known);
  llvm::Value* of_select(Builder& b, llvm::SelectInst& select, Known& known);
  llvm::Value* of_cast(Builder& b, llvm::CastInst& cast, Known& known);
  llvm::Value* all_or_none(Builder& b, llvm::Instruction& instruction, Known& known);

  llvm::SmallPtrSet<const llvm::Value*, 8> sources_;
  llvm::SmallPtrSet<const llvm::Value*, 32> doubtful_;
  llvm::DenseMap<llvm::Value*, unsigned> heights_;
  Known leaves_;  // shadows that exist on every path
};

}  // namespace plait::instrument
