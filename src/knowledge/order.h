// Nodes of the behaviour graphs, each after all that can follow it, and those that lie on cycles.
#pragma once
#include "knowledge/behaviour.h"

namespace plait {

struct NodeOrder {
  std::vector<NodeId> nodes;  // canonical ones only; targets of edges come first, except inside cycles
  std::vector<bool> cyclic;   // by node: it lies on a cycle of its thread's graph
  bool has_cycles = false;

  explicit NodeOrder(const Behaviour& knowledge);
};

}  // namespace plait
