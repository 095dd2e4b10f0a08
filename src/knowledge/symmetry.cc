#include "knowledge/symmetry.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <unordered_map>

namespace plait {
namespace {

struct HashWords {
  size_t operator()(const std::vector<u64>& words) const { return XXH3_64bits(words.data(), words.size() * 8); }
};

bool touches_memory(const Node& node) {
  return node.state == Node::State::Known &&
         (machine::is_memory(node.op) || node.op == Op::Alloc || node.op == Op::FutexWait);
}

}  // namespace

Symmetry::Symmetry(const Behaviour& knowledge, const Layout& layout, const NodeOrder& order)
    : knowledge_(knowledge), layout_(layout), order_(order.nodes), cyclic_(order.cyclic) {
  if (knowledge.is_symbolic() || knowledge.threads() < 3) return;
  children_.resize(knowledge.threads());
  if (!find_children() || !has_siblings()) return;
  find_rows();
  find_private_cells();
  find_private_nodes();
  find_freed();
  find_groups();
  if (!groups_.empty()) find_kinds();
  if (!groups_.empty()) drop_the_unlike();
}

bool Symmetry::find_children() {
  for (const NodeId id : order_) {
    const Node& node = knowledge_.node(id);
    if (node.state != Node::State::Known) continue;
    // They wake threads with low numbers first, or stop all others.
    if (node.op == Op::FutexNotify && node.operand != 1 && node.operand < knowledge_.threads()) return false;
    if (node.op == Op::AtomicBegin) return false;
    const bool holds = machine::is_sync(node.op) && machine::traits(node.op).second == machine::Second::Holds;
    if (holds || node.op == Op::Fork) children_[node.thread].is_plain = false;
    if (node.op == Op::Join) {
      Child& child = children_[node.location];
      child.is_plain &= node.detail == 0;
    }
    if (node.op != Op::Fork) continue;
    Child& child = children_[node.location];
    const NodeId root = knowledge_.canonical(node.forked);
    if (child.root != kNoNode && (child.root != root || child.parent != node.thread)) child.is_plain = false;
    child.root = root;
    child.parent = node.thread;
    child.routine = node.operand;
  }
  for (Child& child : children_) child.is_plain &= child.root != kNoNode;
  return true;
}

bool Symmetry::has_siblings() const {
  std::vector<std::pair<ThreadId, u64>> known;
  for (const Child& child : children_)
    if (child.is_plain) known.emplace_back(child.parent, child.routine);
  std::sort(known.begin(), known.end());
  return std::adjacent_find(known.begin(), known.end()) != known.end();
}

void Symmetry::find_rows() {
  std::vector<bool> continues(knowledge_.size(), false), begins(knowledge_.size(), false);
  std::vector<NodeId> joins;
  for (const NodeId id : order_) {
    const Node& node = knowledge_.node(id);
    const bool is_join = node.state == Node::State::Known && node.op == Op::Join;
    if (is_join) joins.push_back(id);
    if (node.parent == kNoNode) begins[id] = true;
    for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next)
      (is_join ? continues : begins)[knowledge_.target(knowledge_.edge(edge))] = true;
  }
  std::sort(joins.begin(), joins.end());
  u32 row = 0;
  for (const NodeId first : joins) {
    if (continues[first] && !begins[first]) continue;
    ++row;
    u32 place = 0;
    for (NodeId at = first; at != kNoNode && place <= kMaxThreads; at = knowledge_.known_child(at, 0)) {
      const Node& node = knowledge_.node(at);
      if (node.op != Op::Join) break;
      Child& child = children_[node.location];
      child.is_plain &= child.parent == node.thread;
      child.joins.emplace_back(row, place++);
    }
  }
}

void Symmetry::find_private_cells() {
  // Children that may have been forked, by node of their parent.
  std::vector<ThreadSet> forked(knowledge_.size(), 0);
  for (bool grew = true; grew;) {
    grew = false;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      const Node& node = knowledge_.node(*at);
      ThreadSet after = forked[*at];
      if (node.op == Op::Fork) after |= bit(static_cast<ThreadId>(node.location));
      for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next) {
        ThreadSet& to = forked[knowledge_.target(knowledge_.edge(edge))];
        grew |= (after & ~to) != 0;
        to |= after;
      }
    }
  }
  struct Use {
    ThreadSet all = 0;      // who touches it
    ThreadSet writing = 0;  // who does more than reading it, and freeing its block
    ThreadSet late = 0;     // children that may exist when their parent does
  };
  std::vector<Use> uses(layout_.cells().size());
  for (const NodeId id : order_) {
    const Node& node = knowledge_.node(id);
    if (!touches_memory(node) || !layout_.covers(node)) continue;
    const auto [first, last] = layout_.cells_of(node.range);
    for (u32 cell = first; cell < last; ++cell) {
      uses[cell].all |= bit(node.thread);
      uses[cell].late |= forked[id];
      if (node.op != Op::Load && node.op != Op::Free) uses[cell].writing |= bit(node.thread);
    }
  }
  owner_.assign(uses.size(), kNoThread);
  for (u32 t = 1; t < children_.size(); ++t) {
    const ThreadSet me = bit(static_cast<ThreadId>(t));
    if (!children_[t].is_plain) continue;
    for (u32 cell = 0; cell < uses.size(); ++cell)
      if ((uses[cell].all & ~bit(children_[t].parent)) == me && !((uses[cell].writing | uses[cell].late) & me))
        owner_[cell] = static_cast<ThreadId>(t);
  }
}

bool Symmetry::looks_private(const Node& node) const {
  if (node.state != Node::State::Known || (node.op != Op::Load && node.op != Op::Free)) return false;
  if (!children_[node.thread].is_plain || !layout_.covers(node) || !layout_.objects_in(node.range).empty())
    return false;
  const auto [first, last] = layout_.cells_of(node.range);
  for (u32 cell = first; cell < last; ++cell)
    if (owner_[cell] != node.thread) return false;
  // One result, and what comes then is known.
  return first != last && node.first_edge && !knowledge_.edge(node.first_edge).next &&
         knowledge_.known_child(knowledge_.edge(node.first_edge).from, knowledge_.edge(node.first_edge).result) !=
             kNoNode;
}

void Symmetry::note_private(NodeId id) {
  const Node& node = knowledge_.node(id);
  Child& child = children_[node.thread];
  if (node.op == Op::Free) {
    if (std::find(child.blocks.begin(), child.blocks.end(), node.range) == child.blocks.end())
      child.blocks.push_back(node.range);
    child.is_plain &= child.blocks.size() <= 64;
    return;
  }
  const u64 value = knowledge_.edge(node.first_edge).result;
  for (const Own& own : child.reads)
    if (own.range == node.range) {
      child.is_plain &= own.value == value;
      return;
    }
  child.is_plain &= node.size <= 8;
  child.reads.push_back({node.range, value});
}

void Symmetry::find_private_nodes() {
  is_private_.assign(knowledge_.size(), false);
  for (const NodeId id : order_) {
    if (cyclic_[id] || !looks_private(knowledge_.node(id))) continue;
    is_private_[id] = true;
    note_private(id);
  }
  for (u32 t = 1; t < children_.size(); ++t) {
    NodeId at = children_[t].root;
    while (at != kNoNode && (knowledge_.node(at).op == Op::Begin || is_private_[at])) {
      const u32 edge = knowledge_.node(at).first_edge;
      at = edge ? knowledge_.target(knowledge_.edge(edge)) : kNoNode;
    }
    children_[t].first = at;
    children_[t].is_plain &= at != kNoNode && knowledge_.node(at).state != Node::State::Unknown;
  }
}

void Symmetry::find_freed() {
  freed_.assign(knowledge_.size(), 0);
  is_unclear_.assign(knowledge_.size(), false);
  std::vector<bool> seen(knowledge_.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      const Node& node = knowledge_.node(*at);
      if (node.thread >= children_.size() || !children_[node.thread].is_plain) continue;
      if (*at == children_[node.thread].root) seen[*at] = true;
      if (!seen[*at]) continue;
      u64 after = freed_[*at];
      if (is_private_[*at] && node.op == Op::Free) {
        const std::vector<u32>& blocks = children_[node.thread].blocks;
        after |= u64{1} << (std::find(blocks.begin(), blocks.end(), node.range) - blocks.begin());
      }
      for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next) {
        const NodeId to = knowledge_.target(knowledge_.edge(edge));
        const bool unclear = is_unclear_[*at] || (seen[to] && freed_[to] != after);
        if (seen[to] && (!unclear || is_unclear_[to])) continue;
        if (!seen[to]) freed_[to] = after;
        seen[to] = true;
        if (unclear) is_unclear_[to] = true;
        changed = true;
      }
    }
  }
}

bool Symmetry::begin_alike(const Child& a, const Child& b) const {
  const Node &one = knowledge_.node(a.first), &other = knowledge_.node(b.first);
  if (a.parent != b.parent || a.routine != b.routine || a.joins.size() != b.joins.size()) return false;
  // In the same rows, and always in the same order.
  for (size_t i = 0; i < a.joins.size(); ++i)
    if (a.joins[i].first != b.joins[i].first || a.joins[i] >= b.joins[i]) return false;
  return one.op == other.op && one.site == other.site && one.location == other.location && one.size == other.size;
}

void Symmetry::find_groups() {
  std::vector<ThreadId> left;
  for (u32 t = 1; t < children_.size(); ++t)
    if (children_[t].is_plain) left.push_back(static_cast<ThreadId>(t));
  std::sort(left.begin(), left.end(),
            [&](ThreadId a, ThreadId b) { return std::tie(children_[a].joins, a) < std::tie(children_[b].joins, b); });
  while (!left.empty()) {
    Group group{children_[left.front()].parent, {}};
    std::vector<ThreadId> others;
    for (const ThreadId t : left) {
      const bool alike = std::all_of(group.members.begin(), group.members.end(),
                                     [&](ThreadId m) { return begin_alike(children_[m], children_[t]); });
      (alike ? group.members : others).push_back(t);
    }
    left.swap(others);
    if (group.members.size() > 1) groups_.push_back(std::move(group));
  }
}

/// Nodes of one kind stay so only if they do the same and lead to the same kinds. On cycles: to what was the same
/// before.
bool Symmetry::refine() {
  std::unordered_map<std::vector<u64>, u32, HashWords> known;
  std::vector<std::pair<u64, u64>> next;
  std::vector<u64> words;
  const std::vector<u32> before = kinds_;
  const u32 count = *std::max_element(before.begin(), before.end());
  std::vector<u32>& kinds = kinds_;
  for (const NodeId id : order_) {
    const Node& node = knowledge_.node(id);
    if (node.thread >= children_.size() || !children_[node.thread].is_plain) continue;
    next.clear();
    for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next) {
      const NodeId to = knowledge_.target(knowledge_.edge(edge));
      if (knowledge_.node(to).state != Node::State::Unknown)
        next.emplace_back(knowledge_.edge(edge).result, cyclic_[to] ? before[to] : kinds[to]);
    }
    if (is_private_[id]) {
      kinds[id] = static_cast<u32>(next[0].second);
      continue;
    }
    std::sort(next.begin(), next.end());
    words.assign({before[id],
                  static_cast<u64>(node.op) | static_cast<u64>(node.size) << 8 | static_cast<u64>(node.detail) << 16 |
                      static_cast<u64>(node.order) << 24 | static_cast<u64>(node.state) << 32,
                  static_cast<u64>(node.site) << 32 | node.text, node.op == Op::Begin ? 0 : node.location, node.operand,
                  node.extra});
    for (const auto& [result, kind] : next) words.insert(words.end(), {result, kind});
    kinds[id] = known.try_emplace(words, static_cast<u32>(known.size() + 1)).first->second;
  }
  return known.size() > count;
}

void Symmetry::find_kinds() {
  kinds_.assign(knowledge_.size(), 0);
  constexpr u64 kMostWork = u64{1} << 22;
  u64 work = 0;
  for (bool changed = true; changed; changed = refine()) {
    if ((work += order_.size()) <= kMostWork) continue;
    groups_.clear();  // too many rounds
    kinds_.clear();
    return;
  }
  for (const NodeId id : order_)
    if (is_private_[id] || is_unclear_[id]) kinds_[id] = 0;
  first_.assign(*std::max_element(kinds_.begin(), kinds_.end()) + 1, {});
  for (const NodeId id : order_) {
    if (kinds_[id] == 0) continue;
    std::vector<NodeId>& nodes = first_[kinds_[id]];
    nodes.resize(children_.size(), kNoNode);
    NodeId& first = nodes[knowledge_.node(id).thread];
    // Best one that lies on a cycle: whoever has left a node that does not never comes back to it.
    if (first == kNoNode || std::pair(!cyclic_[id], id) < std::pair(!cyclic_[first], first)) first = id;
  }
}

bool Symmetry::finds_its_own(const u8* state, ThreadId thread) const {
  for (const Own& own : children_[thread].reads) {
    const u64 size = knowledge_.ranges()[own.range].size;
    if (std::memcmp(state + layout_.offset_of(own.range), &own.value, size) != 0) return false;
  }
  return true;
}

/// Who is mostly where no other has been, by what is known so far, is not worth searching for together with others.
void Symmetry::drop_the_unlike() {
  std::vector<Group> kept;
  for (Group& group : groups_) {
    const auto is_like = [&](ThreadId t) {
      u32 all = 0, shared = 0;
      for (const NodeId id : order_) {
        if (knowledge_.node(id).thread != t || kinds_[id] == 0) continue;
        ++all;
        const std::vector<NodeId>& nodes = first_[kinds_[id]];
        shared += std::any_of(group.members.begin(), group.members.end(),
                              [&](ThreadId m) { return m != t && nodes[m] != kNoNode; });
      }
      return shared * 2 >= all;
    };
    Group like{group.parent, {}};
    for (const ThreadId t : group.members)
      if (is_like(t)) like.members.push_back(t);
    if (like.members.size() > 1) kept.push_back(std::move(like));
  }
  similar_ = std::move(groups_);
  groups_ = std::move(kept);
}

ThreadSet Symmetry::similar(ThreadId thread) const {
  for (const Group& group : similar_) {
    ThreadSet members = 0;
    for (const ThreadId t : group.members) members |= bit(t);
    if (members & bit(thread)) return members & ~bit(thread);
  }
  return 0;
}

ThreadSet Symmetry::closed(ThreadSet threads, u64 apart) const {
  for (size_t i = 0; i < groups_.size(); ++i) {
    if (is_apart(apart, i)) continue;
    const Group& group = groups_[i];
    ThreadSet members = 0;
    for (const ThreadId t : group.members) members |= bit(t);
    if (threads & members) threads |= members;
  }
  return threads;
}

bool Symmetry::confirms(const Symmetry& before) const {
  if (groups_.size() != before.groups_.size()) return false;
  for (size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i].parent != before.groups_[i].parent || groups_[i].members != before.groups_[i].members) return false;
  if (groups_.empty()) return true;
  for (size_t t = 0; t < children_.size(); ++t)
    if (children_[t].reads.size() != before.children_[t].reads.size() ||
        children_[t].blocks != before.children_[t].blocks)
      return false;
  // What was of one kind still is.
  std::vector<u32> now(before.first_.size(), 0);
  for (const NodeId old : before.order_) {
    const u32 then = before.kinds_[old];
    const NodeId id = knowledge_.canonical(old);
    if (then == 0) continue;
    if (kinds_[id] == 0 || (now[then] && now[then] != kinds_[id])) return false;
    now[then] = kinds_[id];
    if (freed_[id] != before.freed_[old]) return false;
  }
  return true;
}

}  // namespace plait
