// Which values of a loop only count its turns.
#pragma once
#include <optional>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"

namespace plait::instrument {

/// A branch that leaves the loop when enough turns were counted.
struct BoundTest {
  llvm::BranchInst* branch;
  bool leaves_if_true;
};

struct TurnCounts {
  llvm::SmallVector<llvm::PHINode*, 2> phis;  // of the header, all that turns use
  llvm::SmallVector<BoundTest, 2> tests;
  /// The one counter that code behind the loop compares with its bound, and that bound: what it ends with.
  llvm::PHINode* compared = nullptr;
  llvm::Value* bound = nullptr;
};

/// Nothing: a turn hands on something else to the next, or the count is used for something else than how long to wait
/// and when to stop.
std::optional<TurnCounts> find_counts(const llvm::Loop& loop, const llvm::PostDominatorTree& joins);

}  // namespace plait::instrument
