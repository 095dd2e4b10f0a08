// Which reads of a trace must keep their values so that another event happens (002 §4): what a query may assume when
// not every read has to.
#pragma once
#include <vector>

#include "trace/types.h"

namespace plait::solve {

/// Of the steps of one model. Others than loads and updates always return what they did.
struct Dependence {
  /// By step, for a read: the index in its thread of the first step that depends on it (its own, if it cannot change).
  /// The steps before that one happen as they did, at the same places, whatever the read returns.
  std::vector<u32> until;
  /// By step: the reads that what it writes depends on; its own number for an update.
  std::vector<std::vector<u32>> brings;
  bool can_change(u32 step, u32 index) const { return until[step] > index; }
};

}  // namespace plait::solve
