#include "explore/persistent_sets.h"

#include <algorithm>
#include <bit>

namespace plait {

u32 PersistentSets::next_of(const u8* state, ThreadId actor, NodeId* to) const {
  if (actor < layout_.threads()) {
    *to = product_.cursor(state, actor);
    return 1;
  }
  NodeId stores[machine::kMostBuffered];
  product_.stores(state, owner_of(actor), stores);
  u32 count = 0;
  for (u64 set = product_.flushable(state, owner_of(actor)); set; set &= set - 1) to[count++] = stores[lowest(set)];
  return count;
}

void PersistentSets::look_at(const u8* state, ThreadSet actors) {
  actors_ = actors;
  for (u32 t = 0; t < layout_.threads(); ++t) at_[t] = product_.cursor(state, t);
  if (!blockers_) return;
  std::fill_n(held_, layout_.threads(), 0);
  const std::vector<u32>& locks = blockers_->locks();
  for (u32 lock = 0; lock < locks.size(); ++lock) {
    const machine::Object& object = product_.object(state, locks[lock]);
    if (object.owner < layout_.threads() && object.life == 0) held_[object.owner] |= u64{1} << lock;
  }
}

void PersistentSets::find_standing(const u8* state, ThreadSet members) {
  standing_.clear();
  if (!blockers_) return;
  u64 locks = 0;
  for (ThreadSet set = members; set; set &= set - 1) {
    const ThreadId member = lowest(set), thread = owner(member);
    // The last store that leaves its buffer could let it end. While one waits, it cannot, nor give back a lock.
    const bool can_end =
        member == thread && product_.waits_for_buffer(state, thread) && !(members & bit(buffer_of(thread)));
    if (!can_end) standing_.push_back(blockers_->of_end(thread));
    locks |= held_[thread];
  }
  const size_t ends = standing_.size();
  for (bool changed = true; changed;) {
    changed = false;
    standing_.resize(ends);
    for (u64 set = locks; set; set &= set - 1)
      standing_.push_back(blockers_->of_lock(static_cast<u32>(std::countr_zero(set))));
    for (u64 set = locks; set; set &= set - 1) {
      const u32 lock = static_cast<u32>(std::countr_zero(set));
      if (!is_reset(lock, members)) continue;
      locks &= ~(u64{1} << lock);
      changed = true;
    }
  }
}

bool PersistentSets::is_reset(u32 lock, ThreadSet members) {
  for (u32 t = 0; t < layout_.threads(); ++t) {
    if (!(actors_ & ~members & bit(static_cast<ThreadId>(t)))) continue;
    if (future(static_cast<ThreadId>(t))[blockers_->words() - 1] >> lock & 1) return true;
  }
  return false;
}

const u64* PersistentSets::future(ThreadId thread) {
  const NodeId at = at_[thread];
  const u64* all = blockers_->future(at);
  const u64* left = all;
  for (const u32 blocker : standing_) {
    const u64* more = blockers_->future_up_to(blocker, at);
    if (more == all) continue;
    if (left == all) {
      left = more;
      continue;
    }
    if (left != row_.data()) row_.assign(left, left + blockers_->words());
    left = row_.data();
    for (u32 w = 0; w < row_.size(); ++w) row_[w] &= more[w];
  }
  return left;
}

bool PersistentSets::conflicts(NodeId id, ThreadId other) {
  if (!blockers_) return futures_.conflicts(id, at_[other]);
  const u32 words = futures_.words();
  const u64 *own = futures_.own(id), *its = future(other);
  for (u32 w = 0; w < words; ++w)
    if ((own[w] & its[words + w]) | (own[words + w] & (its[w] | its[words + w]))) return true;
  return futures_.leads_to_everything(id) || its[2 * words] != 0;
}

bool PersistentSets::flush_conflicts(NodeId store, ThreadId other) {
  const u32 words = futures_.words();
  const u64 *own = futures_.own(store), *its = blockers_ ? future(other) : futures_.future(at_[other]);
  for (u32 w = 0; w < words; ++w)
    if (own[words + w] & (its[w] | its[words + w])) return true;
  return blockers_ ? its[2 * words] != 0 : futures_.leads_to_everything(at_[other]);
}

bool PersistentSets::find_unseen_flush(const u8* state, ThreadSet actors, ThreadId& buffer, u32& place) {
  const ThreadSet buffering = product_.buffering(state);
  const ThreadSet flushing = buffering & actors >> kFirstBuffer;
  if (!flushing) return false;
  const ThreadSet live = product_.live(state);
  look_at(state, live);
  NodeId stores[machine::kMostBuffered], others[machine::kMostBuffered];
  for (ThreadSet set = flushing; set; set &= set - 1) {
    const ThreadId thread = lowest(set);
    find_standing(state, bit(buffer_of(thread)) | bit(thread));
    product_.stores(state, thread, stores);
    for (u64 places = product_.flushable(state, thread); places; places &= places - 1) {
      const NodeId store = stores[lowest(places)];
      bool seen =
          product_.waits_for_buffer(state, thread) && (places & (places - 1)) == 0;  // what its thread does then
      for (ThreadSet left = live & ~bit(thread); left && !seen; left &= left - 1)
        seen = flush_conflicts(store, lowest(left));
      for (ThreadSet more = buffering & ~bit(thread); more && !seen; more &= more - 1)
        for (u32 i = product_.stores(state, lowest(more), others); i-- > 0;)
          seen |= futures_.meets_operation(store, others[i]);
      if (seen) continue;
      buffer = buffer_of(thread);
      place = lowest(places);
      return true;
    }
  }
  return false;
}

ThreadId PersistentSets::helper(const u8* state, ThreadId member) const {
  const Node& node = knowledge_.node(at_[member]);
  if (node.op == Op::Join) return static_cast<ThreadId>(node.location);
  if (!blockers_ || node.state != Node::State::Known || !machine::can_block(node.op)) return kNoThread;
  const ThreadId holder = product_.awaited(state, member);
  if (holder >= layout_.threads() || holder == member) return kNoThread;
  for (u32 lock = 0; lock < blockers_->locks().size(); ++lock) {
    if (!(held_[holder] >> lock & 1)) continue;
    const machine::HoldChange change = machine::hold_change(node.op, 0);
    const u64 key = change.of_second ? node.operand : node.location;
    if (change.kind != machine::HoldChange::Takes || layout_.object_number(key) != blockers_->locks()[lock]) continue;
    // Nobody else gives it back, unless somebody begins it anew.
    for (u32 t = 0; t < layout_.threads(); ++t)
      if ((actors_ & bit(static_cast<ThreadId>(t))) && t != holder &&
          (blockers_->future(at_[t])[blockers_->words() - 1] >> lock & 1))
        return kNoThread;
    return holder;
  }
  return kNoThread;
}

bool PersistentSets::has_conflict(const u8* state, ThreadId member, ThreadId other, const NodeId* mine, u32 count) {
  // A thread that waits for its buffer goes on by itself when the last store has left.
  const ThreadId thread = owner(member);
  const bool is_flush = member != thread, goes_on = is_flush && product_.waits_for_buffer(state, thread);
  if (other < layout_.threads()) {
    for (u32 i = 0; i < count; ++i)
      if (is_flush ? flush_conflicts(mine[i], other) : conflicts(mine[i], other)) return true;
    return goes_on && conflicts(at_[thread], other);
  }
  NodeId its[machine::kMostBuffered];
  for (u32 k = product_.stores(state, owner_of(other), its); k-- > 0;) {
    for (u32 i = 0; i < count; ++i)
      if (futures_.meets_operation(its[k], mine[i])) return true;
    if (goes_on && futures_.meets_operation(its[k], at_[thread])) return true;
  }
  return false;
}

void PersistentSets::add_conflicts(const u8* state, ThreadId member, ThreadSet& closed, ThreadSet& todo) {
  auto add = [&](ThreadId actor) {
    if (closed & bit(actor)) return;
    closed |= bit(actor);
    todo |= bit(actor);
  };
  const ThreadId thread = owner(member);
  if (member == thread) {
    if (knowledge_.node(at_[thread]).op == Op::Exit) {
      closed = actors_;
      todo = 0;
      return;
    }
    if (product_.waits_for_buffer(state, member)) return add(buffer_of(member));  // nothing else lets it go on
    if (!(enabled_ & bit(member))) {
      const ThreadId able = helper(state, member);
      if (able != kNoThread) {
        add(able);
        if (blockers_) return;
      }
    }
  }
  find_standing(state, closed);
  NodeId mine[machine::kMostBuffered];
  const u32 count = next_of(state, member, mine);
  for (ThreadSet others = actors_ & ~closed; others; others &= others - 1) {
    const ThreadId other = lowest(others);
    if (owner(other) == thread) continue;  // a thread and its buffer do not notice each other
    if (has_conflict(state, member, other, mine, count)) add(other);
  }
}

ThreadSet PersistentSets::find(const u8* state, ThreadSet enabled, ThreadSet actors, ThreadId first) {
  if ((enabled & (enabled - 1)) == 0) return enabled;
  look_at(state, actors);
  enabled_ = enabled;
  ThreadSet best = enabled;
  ThreadSet seeds = enabled;
  while (seeds && count(best) > 1) {
    const ThreadId seed = first != kNoThread && (seeds & bit(first)) ? first : lowest(seeds);
    seeds &= ~bit(seed);
    ThreadSet closed = bit(seed), todo = closed;
    while (todo) {
      const ThreadId member = lowest(todo);
      todo &= todo - 1;
      add_conflicts(state, member, closed, todo);
      if (count(closed & enabled) >= count(best)) break;
    }
    if (!todo && count(closed & enabled) < count(best)) best = closed & enabled;
  }
  return best;
}

}  // namespace plait
