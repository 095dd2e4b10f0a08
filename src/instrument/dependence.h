// What depends on what, for the engine (trace/depends.h, docs/papers.md): a graph over the values, the control
// points and the kinds of memory of a unit. A value that a load receives flows along its edges; where it reaches the
// control point of an operation, that operation may not happen, or elsewhere.
//
// Each function is looked at before anything in it is rewritten.
#pragma once
#include <memory>

#include "instrument/sites.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

class DependenceGraph;

class Dependence {
 public:
  explicit Dependence(llvm::Module& module);
  ~Dependence();
  /// The function as it was written.
  void add(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  /// Its operations have sites now.
  void name_sites(Sites& sites);
  /// Writes the unit's block.
  void emit(const Sites& sites);

 private:
  llvm::Module& module_;
  std::unique_ptr<DependenceGraph> graph_;
};

}  // namespace plait::instrument
