// What one function adds to the dependence graph.
#pragma once
#include "instrument/dependence_memory.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

/// Control points: one for the beginning of each block, and behind each operation that the rest of the block may depend
/// on. Control flows from point to point as the program does, and values flow to the points that they decide. So
/// whatever comes behind a decision depends on it, also where its ways have met again: schedules name operations by
/// their number in the thread. Only where no way performs operations does a branch decide nothing but values.
class FunctionFlow {
 public:
  using Node = DependenceGraph::Node;

  FunctionFlow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, DependenceGraph& graph);
  void run();

 private:
  Node value(const llvm::Value* value);
  Node point_of(const llvm::BasicBlock& block);
  /// A new control point, which these values decide.
  void decide(std::initializer_list<const llvm::Value*> values);
  void visit(llvm::Instruction& instruction);
  void visit_load(llvm::LoadInst& load);
  void visit_store(llvm::StoreInst& store);
  void visit_update(llvm::Instruction& update, const llvm::Value* pointer,
                    std::initializer_list<const llvm::Value*> brings);
  void visit_intrinsic(llvm::IntrinsicInst& call);
  void visit_call(llvm::CallBase& call);
  void pass_arguments(llvm::CallBase& call, const DependenceGraph::Signature& callee);
  void leave(llvm::Instruction& end);
  void visit_branch(llvm::Instruction& end, const llvm::Value* condition);
  void place(llvm::Instruction& at);
  bool is_silent(llvm::Instruction& instruction);
  /// The blocks between the branch and where its ways meet, if nothing is performed in them.
  bool find_silent_region(llvm::BasicBlock& branch, llvm::SmallPtrSetImpl<llvm::BasicBlock*>& region);

  llvm::Function& function_;
  DependenceGraph& graph_;
  MemoryFlow memory_;
  llvm::PostDominatorTree& after_;
  DependenceGraph::Signature own_;
  llvm::DenseMap<const llvm::Value*, Node> values_;
  llvm::DenseMap<const llvm::BasicBlock*, Node> points_;
  Node point_ = DependenceGraph::kNone;
};

/// Functions and variables whose addresses the unit takes.
void note_addresses(llvm::Module& module, DependenceGraph& graph);

}  // namespace plait::instrument
