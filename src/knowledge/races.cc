#include "knowledge/races.h"

#include <algorithm>
#include <map>

#include "machine/dependence.h"

namespace plait {
namespace {

using Locks = std::vector<u64>;  // addresses, sorted

/// What a thread's history says about an access. Of all histories that lead there: whom one of them has forked; whom
/// all have joined, which locks all hold. (Threads in the same state need not have the same past.)
struct Access {
  NodeId node = kNoNode;
  ThreadSet forked = 0, joined = 0;
  u32 locks = 0;
};

bool is_access(const Node& node) { return node.state == Node::State::Known && machine::is_access(node.op); }

class Histories {
 public:
  explicit Histories(const Behaviour& knowledge) : knowledge_(knowledge), per_node_(knowledge.size()) {
    intern({});
    for (NodeId id = 1; id < knowledge.size(); ++id)
      if (knowledge.node(id).parent == kNoNode && !knowledge.is_dead(id)) visit(id);
  }
  const Access& at(NodeId id) const { return per_node_[id]; }

  bool is_child_of(ThreadId child, ThreadId parent) const {
    for (NodeId id = 1; id < knowledge_.size(); ++id) {
      const Node& node = knowledge_.node(id);
      if (node.op == Op::Fork && node.location == child) return node.thread == parent;
    }
    return false;
  }
  bool exclude(const Access& a, const Access& b) const {
    const Locks &x = locks_[a.locks], &y = locks_[b.locks];
    for (u64 lock : x)
      if (std::binary_search(y.begin(), y.end(), lock)) return true;
    return ordered(a, b) || ordered(b, a);
  }

 private:
  /// b's thread was joined before a, or not yet forked at a (by a's thread).
  bool ordered(const Access& a, const Access& b) const {
    const ThreadId other = knowledge_.node(b.node).thread;
    if (a.joined & bit(other)) return true;
    return is_child_of(other, knowledge_.node(a.node).thread) && !(a.forked & bit(other));
  }
  void visit(NodeId root) {
    if (per_node_[root].node != kNoNode) return;
    per_node_[root].node = root;
    std::vector<NodeId> todo{root};
    while (!todo.empty()) {
      const NodeId from = todo.back();
      todo.pop_back();
      const Node& node = knowledge_.node(from);
      for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next) {
        const NodeId to = knowledge_.target(knowledge_.edge(edge));
        if (add(to, after(per_node_[from], node, knowledge_.edge(edge).result))) todo.push_back(to);
      }
    }
  }
  /// One more history that leads to the node; true if it says less than those before.
  bool add(NodeId to, const Access& access) {
    Access& all = per_node_[to];
    if (all.node == kNoNode) {
      all = access;
      all.node = to;
      return true;
    }
    const Access before = all;
    all.forked |= access.forked;
    all.joined &= access.joined;
    if (all.locks != access.locks) {
      Locks both;
      std::set_intersection(locks_[all.locks].begin(), locks_[all.locks].end(), locks_[access.locks].begin(),
                            locks_[access.locks].end(), std::back_inserter(both));
      all.locks = intern(std::move(both));
    }
    return all.forked != before.forked || all.joined != before.joined || all.locks != before.locks;
  }
  u32 intern(Locks locks) {
    auto found = std::find(locks_.begin(), locks_.end(), locks);
    if (found != locks_.end()) return static_cast<u32>(found - locks_.begin());
    locks_.push_back(std::move(locks));
    return static_cast<u32>(locks_.size() - 1);
  }
  Access after(const Access& before, const Node& node, u64 result) {
    Access access = before;
    Locks locks = locks_[before.locks];
    auto take = [&](u64 lock) { locks.insert(std::lower_bound(locks.begin(), locks.end(), lock), lock); };
    auto drop = [&](u64 lock) {
      auto found = std::lower_bound(locks.begin(), locks.end(), lock);
      if (found != locks.end() && *found == lock) locks.erase(found);
    };
    if (node.op == Op::Fork) access.forked |= bit(static_cast<ThreadId>(node.location));
    if (node.op == Op::Join) access.joined |= bit(static_cast<ThreadId>(node.location));
    const machine::HoldChange change = machine::hold_change(node.op, result);
    if (change.kind == machine::HoldChange::None || change.shares) return access;
    const u64 lock = change.of_second ? node.operand : node.location;
    change.kind == machine::HoldChange::Takes ? take(lock) : drop(lock);
    access.locks = intern(std::move(locks));
    return access;
  }

  const Behaviour& knowledge_;
  std::vector<Access> per_node_;
  std::vector<Locks> locks_;
};

}  // namespace

bool is_race(const Node& a, const Node& b) {
  if (!is_access(a) || !is_access(b)) return false;
  const auto operation = [](const Node& node) {
    return machine::Operation{.op = node.op, .size = node.size, .order = node.order, .location = node.location};
  };
  return machine::is_race(operation(a), operation(b));
}

bool exits_are_harmless(const Behaviour& knowledge) {
  const Histories histories(knowledge);
  const ThreadSet all = knowledge.threads() >= kMaxThreads ? ~ThreadSet{0} : (ThreadSet{1} << knowledge.threads()) - 1;
  std::vector<ThreadSet> joined_by(kMaxThreads, all);  // what each thread has joined for certain when it ends
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    const Node& node = knowledge.node(id);
    if (!knowledge.is_dead(id) && node.state == Node::State::Known && node.op == Op::End)
      joined_by[node.thread] &= histories.at(id).joined;
  }
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    const Node& node = knowledge.node(id);
    if (knowledge.is_dead(id) || node.state != Node::State::Known || node.op != Op::Exit) continue;
    ThreadSet gone = histories.at(id).joined | bit(node.thread), todo = gone & ~bit(node.thread);
    while (todo) {
      const ThreadId thread = lowest(todo);
      todo &= todo - 1;
      todo |= joined_by[thread] & ~gone;
      gone |= joined_by[thread];
    }
    // Threads that this history has not forked do not exist, unless others fork them.
    for (ThreadSet left = all & ~gone; left; left &= left - 1) {
      const ThreadId thread = lowest(left);
      if (!histories.is_child_of(thread, node.thread) || (histories.at(id).forked & bit(thread))) return false;
    }
  }
  return true;
}

std::vector<bool> accesses_that_may_race(const Behaviour& knowledge, const Layout& layout,
                                         const std::atomic<bool>* stop) {
  const Histories histories(knowledge);
  // Accesses that look the same to the test are looked at once.
  std::map<std::tuple<u32, u32, ThreadSet, ThreadSet, u32, ThreadId, u8>, u32> classes;
  std::vector<NodeId> first;  // of each class
  std::vector<std::vector<u32>> by_cell(layout.cells().size());
  std::vector<std::pair<NodeId, u32>> members;
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    const Node& node = knowledge.node(id);
    if (knowledge.is_dead(id) || !is_access(node) || !layout.covers(node)) continue;
    const Access& access = histories.at(id);
    const auto [begin, end] = layout.cells_of(node.range);
    for (u32 cell = begin; cell < end; ++cell) {
      const u8 kind = static_cast<u8>(machine::is_write(node.op) * 2 + (node.order <= Order::Volatile));
      const auto [at, fresh] =
          classes.try_emplace({cell, node.range, access.forked, access.joined, access.locks, node.thread, kind},
                              static_cast<u32>(first.size()));
      members.emplace_back(id, at->second);
      if (!fresh) continue;
      first.push_back(id);
      by_cell[cell].push_back(at->second);
    }
  }
  std::vector<bool> races(first.size(), false), result(knowledge.size(), false);
  for (const auto& accesses : by_cell)
    for (size_t i = 0; i < accesses.size(); ++i) {
      if (stop && stop->load(std::memory_order_relaxed)) return std::vector<bool>(knowledge.size(), true);
      for (size_t k = i + 1; k < accesses.size(); ++k) {
        if (races[accesses[i]] && races[accesses[k]]) continue;
        const NodeId a = first[accesses[i]], b = first[accesses[k]];
        if (knowledge.node(a).thread == knowledge.node(b).thread || !is_race(knowledge.node(a), knowledge.node(b)) ||
            histories.exclude(histories.at(a), histories.at(b)))
          continue;
        races[accesses[i]] = races[accesses[k]] = true;
      }
    }
  for (const auto& [id, number] : members)
    if (races[number]) result[id] = true;
  return result;
}

}  // namespace plait
