#include "knowledge/blockers.h"

#include <cstring>

namespace plait {

Blockers::Blockers(const Behaviour& knowledge, const Layout& layout, const Futures& futures)
    : knowledge_(knowledge), threads_(layout.threads()), words_(2 * futures.words() + 2), order_(futures.order()) {
  find_locks(layout);
  for (const NodeId id : order_)
    if (knowledge.node(id).op == Op::Fork) forks_.push_back(id);
  add_free_futures(futures, layout);
  rows_of_.resize(threads_ + locks_.size());
  for (u32 blocker = 0; blocker < rows_of_.size() && rows_.size() < kMostWords; ++blocker)
    add_futures_up_to(blocker, futures);
}

void Blockers::find_locks(const Layout& layout) {
  std::vector<bool> seen(layout.objects(), false);
  for (NodeId id = 1; id < knowledge_.size() && locks_.size() < kMostLocks; ++id) {
    const Node& node = knowledge_.node(id);
    if (knowledge_.is_dead(id) || node.state != Node::State::Known) continue;
    const machine::HoldChange change = machine::hold_change(node.op, 0);
    if (change.kind != machine::HoldChange::Takes || change.shares) continue;
    const u64 key = change.of_second ? node.operand : node.location;
    const u32 object = layout.object_number(key);
    if (seen[object]) continue;
    seen[object] = true;
    locks_.push_back(object);
    keys_.push_back(key);
  }
}

u64 Blockers::resets_by(const Node& node, const Layout& layout) const {
  const bool in_memory = machine::is_write(node.op) || node.op == Op::Alloc;
  const bool by_name = machine::is_destroy(node.op) || node.op == Op::MutexInit || node.op == Op::RwInit;
  u64 resets = 0;
  for (u32 lock = 0; lock < locks_.size(); ++lock) {
    if (by_name && keys_[lock] == node.location) resets |= u64{1} << lock;
    if (!in_memory) continue;
    for (const u32 object : layout.objects_in(node.range)) resets |= u64{object == locks_[lock]} << lock;
  }
  return resets;
}

bool Blockers::takes(u64 key, const Node& node) const {
  // With the result 0; readers take a lock from nobody, but do not get it from a writer either.
  const machine::HoldChange change = machine::hold_change(node.op, 0);
  return change.kind == machine::HoldChange::Takes && (change.of_second ? node.operand : node.location) == key;
}

bool Blockers::is_stopped(u32 blocker, const Node& node) const {
  if (node.state != Node::State::Known) return false;
  if (blocker < threads_) return node.op == Op::Join && node.location == blocker;
  if (!machine::can_block(node.op) || !takes(keys_[blocker - threads_], node)) return false;
  // The end of a wait that may time out does not need the lock for that.
  return node.op != Op::CondWake || node.detail == 0;
}

bool Blockers::is_open(u32 blocker, const Node& node, u64 result) const {
  return blocker < threads_ || result != 0 || !takes(keys_[blocker - threads_], node);
}

template <class F>
void Blockers::for_each_next(u32 blocker, const Node& node, F f) const {
  if (node.forked != kNoNode) f(knowledge_.canonical(node.forked));
  for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next)
    if (is_open(blocker, node, knowledge_.edge(edge).result)) f(knowledge_.target(knowledge_.edge(edge)));
}

void Blockers::add_free_futures(const Futures& futures, const Layout& layout) {
  const u32 resources = 2 * futures.words();
  own_.assign(static_cast<size_t>(knowledge_.size()) * words_, 0);
  for (const NodeId id : order_) {
    u64* own = own_.data() + static_cast<size_t>(id) * words_;
    std::memcpy(own, futures.own(id), resources * 8);
    own[resources] = futures.is_everything(id);
    const Node& node = knowledge_.node(id);
    if (node.state == Node::State::Known) own[resources + 1] = resets_by(node, layout);
  }
  free_ = own_;
  for (bool grew = true; grew;) {
    grew = false;
    for (const NodeId id : order_) {
      u64* row = free_.data() + static_cast<size_t>(id) * words_;
      const Node& node = knowledge_.node(id);
      auto add_next = [&](NodeId to) { grew |= add(row, future(to)); };
      if (node.forked != kNoNode) add_next(knowledge_.canonical(node.forked));
      for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next)
        add_next(knowledge_.target(knowledge_.edge(edge)));
    }
  }
}

std::vector<NodeId> Blockers::nodes_before(u32 blocker) const {
  // Of threads that it stops, and of those that fork such threads.
  ThreadSet threads = 0, before = 0;
  const auto stops = [&](NodeId id) {
    const Node& node = knowledge_.node(id);
    return is_stopped(blocker, node) || (blocker >= threads_ && takes(keys_[blocker - threads_], node));
  };
  for (const NodeId id : order_)
    if (!(threads & bit(knowledge_.node(id).thread)) && stops(id)) threads |= bit(knowledge_.node(id).thread);
  while (threads != before) {
    before = threads;
    for (const NodeId id : forks_)
      if (threads & bit(static_cast<ThreadId>(knowledge_.node(id).location)))
        threads |= bit(knowledge_.node(id).thread);
  }
  std::vector<NodeId> nodes;
  for (const NodeId id : order_)
    if (threads & bit(knowledge_.node(id).thread)) nodes.push_back(id);
  return nodes;
}

void Blockers::add_futures_up_to(u32 blocker, const Futures& futures) {
  const std::vector<NodeId> nodes = nodes_before(blocker);
  if (nodes.empty()) return;
  std::vector<u32>& row_of = rows_of_[blocker];
  row_of.assign(knowledge_.size(), 0);
  for (const NodeId id : nodes) {
    row_of[id] = static_cast<u32>(rows_.size() / words_) + 1;
    const u64* own = own_.data() + static_cast<size_t>(id) * words_;
    if (is_stopped(blocker, knowledge_.node(id)))
      rows_.resize(rows_.size() + words_, 0);
    else
      rows_.insert(rows_.end(), own, own + words_);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const NodeId id : nodes) {
      const Node& node = knowledge_.node(id);
      if (is_stopped(blocker, node)) continue;
      u64* row = rows_.data() + static_cast<size_t>(row_of[id] - 1) * words_;
      for_each_next(blocker, node, [&](NodeId to) { grew |= add(row, future_up_to(blocker, to)); });
    }
  }
}

bool Blockers::confirms(const Blockers& before) const {
  if (words_ != before.words_ || locks_ != before.locks_ || threads_ != before.threads_) return false;
  for (u32 blocker = 0; blocker < rows_of_.size(); ++blocker)
    for (const NodeId old : before.order_)
      if (std::memcmp(future_up_to(blocker, knowledge_.canonical(old)), before.future_up_to(blocker, old),
                      words_ * 8) != 0)
        return false;
  return true;
}

}  // namespace plait
