// How values flow through memory that no trace shows: between a function's own accesses as MemorySSA says, else by
// variable, and by the type that is accessed (TBAA).
#pragma once
#include "instrument/dependence_graph.h"
#include "llvm/Analysis/MemorySSA.h"

namespace plait::instrument {

class MemoryFlow {
 public:
  using Node = DependenceGraph::Node;

  MemoryFlow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, DependenceGraph& graph);
  /// The value goes to where the pointer points, or comes from there.
  void store(const llvm::Instruction& at, const llvm::Value* pointer, Node value);
  void load(llvm::Instruction& at, const llvm::Value* pointer, Node value);
  /// A local that nothing but loads and stores of this function touches.
  bool is_plain_local(const llvm::Value* pointer);
  /// The value that a store of this function put there for certain, if this is what the load reads.
  const llvm::Value* only_source(llvm::LoadInst& load);

 private:
  struct Place {
    Node local = DependenceGraph::kNone;
    const llvm::GlobalVariable* variable = nullptr;
    std::string type;  // empty: any
  };
  Node variable(const llvm::GlobalVariable& variable);
  Place place(const llvm::Instruction& at, const llvm::Value* pointer);

  DependenceGraph& graph_;
  llvm::MemorySSA& memory_;
  llvm::DenseMap<const llvm::Value*, Node> locals_;
};

}  // namespace plait::instrument
