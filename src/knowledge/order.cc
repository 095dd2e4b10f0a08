#include "knowledge/order.h"

#include <algorithm>

namespace plait {
namespace {

/// Strongly connected components (Tarjan), without recursion: graphs are as deep as runs are long.
class Components {
 public:
  Components(const Behaviour& knowledge, NodeOrder& order)
      : knowledge_(knowledge),
        order_(order),
        index_(knowledge.size(), 0),
        low_(knowledge.size(), 0),
        open_(knowledge.size(), false) {}

  void visit(NodeId root) {
    if (index_[root]) return;
    enter(root);
    while (!calls_.empty()) {
      auto& [id, edge] = calls_.back();
      if (edge) {
        const Edge& at = knowledge_.edge(edge);
        const NodeId to = knowledge_.target(at);
        edge = at.next;
        if (to == id) order_.cyclic[id] = order_.has_cycles = true;
        if (!index_[to])
          enter(to);  // invalidates id and edge
        else if (open_[to])
          low_[id] = std::min(low_[id], index_[to]);
        continue;
      }
      const NodeId done = id;
      calls_.pop_back();
      if (!calls_.empty()) low_[calls_.back().first] = std::min(low_[calls_.back().first], low_[done]);
      if (low_[done] == index_[done]) close(done);
    }
  }

 private:
  void enter(NodeId id) {
    index_[id] = low_[id] = ++count_;
    open_[id] = true;
    stack_.push_back(id);
    calls_.emplace_back(id, knowledge_.node(id).first_edge);
  }
  void close(NodeId first) {
    const bool cycle = stack_.back() != first;
    for (NodeId id = kNoNode; id != first;) {
      id = stack_.back();
      stack_.pop_back();
      open_[id] = false;
      order_.nodes.push_back(id);
      if (cycle) order_.cyclic[id] = order_.has_cycles = true;
    }
  }

  const Behaviour& knowledge_;
  NodeOrder& order_;
  std::vector<u32> index_, low_;
  std::vector<bool> open_;
  std::vector<NodeId> stack_;
  std::vector<std::pair<NodeId, u32>> calls_;
  u32 count_ = 0;
};

}  // namespace

NodeOrder::NodeOrder(const Behaviour& knowledge) : cyclic(knowledge.size(), false) {
  nodes.reserve(knowledge.size());
  if (knowledge.merged() == 0) {  // trees: children have larger numbers
    for (NodeId id = knowledge.size() - 1; id > 0; --id) nodes.push_back(id);
    return;
  }
  Components components(knowledge, *this);
  for (NodeId id = 1; id < knowledge.size(); ++id)
    if (!knowledge.is_dead(id)) components.visit(id);
}

}  // namespace plait
