#include "knowledge/values.h"

#include <optional>
#include <set>

#include "machine/value.h"

namespace plait {
namespace {

constexpr size_t kMostValues = 256;

/// Values by range; none: could be anything.
class Values {
 public:
  Values(const Behaviour& knowledge, const Layout& layout) : values_(knowledge.ranges().size()) {
    const auto& ranges = knowledge.ranges();
    std::vector<u32> users(layout.cells().size(), 0);  // ranges in each cell
    for (u32 i = 1; i < ranges.size(); ++i) {
      const auto [first, last] = layout.cells_of(i);
      for (u32 cell = first; cell < last; ++cell) ++users[cell];
    }
    for (u32 i = 1; i < ranges.size(); ++i) {
      const auto [first, last] = layout.cells_of(i);
      // Other sizes, overlaps, blocks: not worth the trouble.
      if (ranges[i].block || ranges[i].size > 8 || last != first + 1 || users[first] != 1) continue;
      u64 initial = 0;
      for (u64 k = 0; k < ranges[i].size; ++k)
        initial |= static_cast<u64>(knowledge.initial_byte(ranges[i].begin + k)) << (8 * k);
      values_[i].emplace().insert(initial);
    }
    for (NodeId id = 1; id < knowledge.size(); ++id) {
      const Node& node = knowledge.node(id);
      if (knowledge.is_dead(id) || node.state != Node::State::Known || !values_[node.range]) continue;
      if (node.operand_term) {  // whatever the symbols are
        values_[node.range].reset();
        continue;
      }
      if (node.op == Op::Store || node.op == Op::Cas) add(node.range, node.operand);
      if (node.op == Op::Rmw) modifiers_.push_back(id);
    }
    for (bool grew = true; grew;) {
      grew = false;
      for (const NodeId id : modifiers_) {
        const Node& node = knowledge.node(id);
        if (!values_[node.range]) continue;
        const std::set<u64> before = *values_[node.range];
        for (const u64 old : before)
          grew |= add(node.range, machine::rmw<u64>(static_cast<RmwKind>(node.detail), node.size, old, node.operand));
      }
    }
  }
  const std::optional<std::set<u64>>& of(u32 range) const { return values_[range]; }

 private:
  bool add(u32 range, u64 value) {
    if (!values_[range] || !values_[range]->insert(value).second) return false;
    if (values_[range]->size() > kMostValues) values_[range].reset();
    return true;
  }
  std::vector<std::optional<std::set<u64>>> values_;
  std::vector<NodeId> modifiers_;
};

}  // namespace

ThreadSet saturated_threads(const Behaviour& knowledge, const Layout& layout) {
  const Values values(knowledge, layout);
  ThreadSet saturated = knowledge.threads() >= kMaxThreads ? ~ThreadSet{0} : (ThreadSet{1} << knowledge.threads()) - 1;
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    if (knowledge.is_dead(id)) continue;
    const Node& node = knowledge.node(id);
    const ThreadSet me = bit(node.thread);
    if (!(saturated & me) || node.state == Node::State::Failed) continue;
    if (node.state == Node::State::Unknown) {
      saturated &= ~me;
      continue;
    }
    switch (node.op) {
      case Op::End:
      case Op::Exit:
      case Op::Assume: continue;
      case Op::Load:
      case Op::Rmw:
      case Op::Cas: {
        if (node.is_symbol) {
          const bool freed = layout.cells()[layout.cells_of(node.range).first].freed_offset != 0;
          if (freed || knowledge.known_child(id, 0) == kNoNode) saturated &= ~me;
          break;
        }
        const auto& possible = values.of(node.range);
        if (!possible) {
          saturated &= ~me;
          break;
        }
        if (layout.cells()[layout.cells_of(node.range).first].freed_offset) saturated &= ~me;
        for (const u64 value : *possible)
          if (knowledge.known_child(id, value) == kNoNode) saturated &= ~me;
        break;
      }
      case Op::Store: {
        const auto [first, last] = layout.cells_of(node.range);
        for (u32 cell = first; cell < last; ++cell)
          if (layout.cells()[cell].freed_offset) saturated &= ~me;
        if (knowledge.known_child(id, 0) == kNoNode) saturated &= ~me;
        break;
      }
      case Op::Label:
        // Both sides of a branch, or there may be more.
        if (knowledge.expressions().term(node.operand_term).width != 1 || knowledge.known_child(id, 0) == kNoNode ||
            knowledge.known_child(id, 1) == kNoNode)
          saturated &= ~me;
        break;
      default:
        if (machine::is_sync(node.op) || node.op == Op::Free) saturated &= ~me;  // who may misuse a lock, or free twice
        if (machine::is_branching(node.op, node.detail) || knowledge.known_child(id, 0) == kNoNode) saturated &= ~me;
    }
  }
  return saturated;
}

}  // namespace plait
