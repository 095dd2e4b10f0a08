// Following inputs (docs/inputs.md): beside each integer of up to 64 bits a label goes along, which names the
// expression over the program's inputs that the integer is (trace/labels.h). Values of other types have no label: where
// an integer becomes one of these, or an address, or an argument of code that is not followed, it is *fixed*.
//
// In two steps, for other instrumentation comes in between: labels of accesses are asked for and told right after the
// access, before that is rewritten; those of arguments and results are handed over right before the call and the
// return, when everything else is in its place.
#pragma once
#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "instrument/sites.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "trace/labels.h"

namespace plait::instrument {

/// Is the module that is being instrumented to follow inputs? One that takes some is; others if they are told to
/// (-mllvm -plait-inputs): what is not followed gets values.
bool wants_labels();
void decide_labels(llvm::Module& module);

class Labels {
 public:
  Labels(llvm::Function& function, Hooks& hooks, Sites& sites, const ThreadLocals& thread_locals,
         const llvm::SmallPtrSetImpl<const llvm::Function*>& skipped);
  /// Before accesses are rewritten.
  void follow_values();
  /// After everything else.
  void follow_calls();

 private:
  using Value = llvm::Value;

  void visit(llvm::Instruction& instruction);
  void visit_access(llvm::Instruction& instruction);
  void visit_load(llvm::LoadInst& load);
  void visit_store(llvm::StoreInst& store);
  void visit_rmw(llvm::AtomicRMWInst& rmw);
  void visit_cas(llvm::AtomicCmpXchgInst& cas);
  void visit_binary(llvm::BinaryOperator& operation);
  void visit_comparison(llvm::ICmpInst& comparison);
  void visit_cast(llvm::CastInst& cast);
  void visit_select(llvm::SelectInst& select);
  void visit_switch(llvm::SwitchInst& choice);
  void visit_extract(llvm::ExtractValueInst& part);
  void visit_insert(llvm::InsertValueInst& whole);
  // label_calls.cc
  void visit_call(llvm::CallBase& call);
  void visit_intrinsic(llvm::IntrinsicInst& call);
  void visit_overflow(llvm::WithOverflowInst& call);
  void visit_extremum(llvm::MinMaxIntrinsic& call);
  void visit_memory_intrinsic(llvm::MemIntrinsic& call);
  void begin_function();
  void settle_entry();
  /// Labels are looked up when values are followed: other instrumentation replaces loads.
  struct FollowedCall {
    llvm::CallBase* call;
    llvm::SmallVector<Value*, 4> labels;  // of the arguments; null: it has none on any path
    bool prints;
  };
  struct FollowedReturn {
    llvm::ReturnInst* end;
    Value* label;
  };
  void follow_call(const FollowedCall& followed);
  void follow_return(const FollowedReturn& followed);

  /// An integer that may have a label.
  static bool is_tracked(const llvm::Type* type);
  /// Its label, 64 bits; a constant 0 if it has none on any path.
  Value* label(Value* value);
  bool may_have_label(Value* value);
  void fix_operands(llvm::Instruction& instruction);
  void fix(Builder& b, Value* value, llvm::Instruction& at);
  void fix_parts(Builder& b, Value* whole, llvm::Instruction& at);
  Value* wide(Builder& b, Value* value);  // as 64 bits
  Value* call(Builder& b, const char* name, llvm::Type* result, llvm::ArrayRef<Value*> arguments);
  Value* binary(Builder& b, LabelOp op, unsigned width, Value* a, Value* label_a, Value* c, Value* label_c);
  Value* cast(Builder& b, LabelOp op, unsigned from, unsigned to, Value* value, Value* label);
  llvm::Constant* site(llvm::Instruction& at) { return sites_.site(at, ""); }
  llvm::Constant* number(unsigned n) { return llvm::ConstantInt::get(int_, n); }
  llvm::Constant* size(uint64_t n) { return llvm::ConstantInt::get(word_, n); }
  llvm::Constant* none() { return llvm::ConstantInt::get(word_, 0); }
  /// Right behind an instruction that is no terminator.
  static llvm::Instruction* behind(llvm::Instruction& instruction) { return instruction.getNextNode(); }
  /// Where the result of a call is there, and nothing else has happened; null: nowhere.
  llvm::Instruction* behind_call(llvm::CallBase& call);

  llvm::Function& function_;
  Hooks& hooks_;
  Sites& sites_;
  PrivateMemory memory_;
  const llvm::SmallPtrSetImpl<const llvm::Function*>& skipped_;
  const llvm::DataLayout& layout_;
  llvm::IntegerType* word_;
  llvm::IntegerType* int_;
  llvm::DenseMap<Value*, Value*> labels_;
  llvm::DenseMap<Value*, llvm::SmallVector<Value*, 2>> parts_;  // of structs: a label for each member
  llvm::SmallVector<llvm::PHINode*, 8> phis_;
  llvm::SmallVector<FollowedCall, 16> calls_;
  llvm::SmallVector<FollowedReturn, 4> returns_;
  llvm::SmallVector<llvm::Instruction*, 8> entry_;
  Value* caller_ = nullptr;
};

/// The table of functions that follow inputs.
void list_followed(llvm::Module& module, llvm::ArrayRef<llvm::Function*> functions);

}  // namespace plait::instrument
