#include "explore/thread_swaps.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace plait {
namespace {

void put_u32(std::vector<u8>& state, u32 at, u32 value) { std::memcpy(state.data() + at, &value, 4); }

}  // namespace

NodeId ThreadSwaps::node_for(u32 kind, ThreadId thread) const {
  const NodeId node = symmetry_.of_kind(kind, thread);
  return node != kNoNode && merges_ ? futures_.representative(node) : node;
}

u64 ThreadSwaps::rest_of(ThreadId thread) const {
  u64 rest = 0;
  const auto mix = [&](u64 value) { rest = (rest ^ value) * 0x9e3779b97f4a7c15ull; };
  for (u32 i = 0; i < layout_.objects(); ++i) {
    const machine::Object& object = product_.object(old_.data(), i);
    if (object.owner == thread) mix(2 * i + 1);
    if (object.waiters & bit(thread)) mix(2 * i + 2);
  }
  for (u32 i = 0; i < layout_.buffer_size(thread); ++i)
    if (const u32 entry = read_u32(old_.data() + layout_.buffer_offset(thread) + 4 * i)) mix(u64{entry} << 8);
  return rest;
}

bool ThreadSwaps::look_at(const Symmetry::Group& group) {
  places_.clear();
  members_.clear();
  for (const ThreadId thread : group.members) {
    const NodeId at = product_.cursor(old_.data(), thread);
    if (at == kNoNode || at == kEnded || symmetry_.kind(at) == 0 || !symmetry_.finds_its_own(old_.data(), thread))
      continue;
    places_.push_back({thread, symmetry_.kind(at), product_.has_ended(old_.data(), thread), rest_of(thread)});
    members_.push_back(thread);
  }
  return places_.size() > 1;
}

bool ThreadSwaps::can_move(const Place& place, ThreadId to) const {
  if (node_for(place.kind, to) == kNoNode) return false;
  const u32 from_size = layout_.buffer_size(place.thread), to_size = layout_.buffer_size(to);
  for (u32 i = 0; i < from_size; ++i) {
    const u32 entry = read_u32(old_.data() + layout_.buffer_offset(place.thread) + 4 * i);
    // Stores that are alike have one node for all threads where equal futures have.
    if (entry && (i >= to_size || !merges_)) return false;
  }
  return true;
}

void ThreadSwaps::move(const Place& place, ThreadId to) {
  const NodeId node = node_for(place.kind, to);
  put_u32(new_, 4 * to, node);
  const u32 size = layout_.buffer_size(place.thread);
  for (u32 i = 0; i < layout_.buffer_size(to); ++i)
    put_u32(new_, layout_.buffer_offset(to) + 4 * i,
            i < size ? read_u32(old_.data() + layout_.buffer_offset(place.thread) + 4 * i) : 0);
  symmetry_.for_each_private_flag(to, node, [&](u32 flag, bool freed) { new_[flag] = freed; });
}

bool ThreadSwaps::move_parent(ThreadId parent) {
  NodeId at = product_.cursor(new_.data(), parent);
  if (at == kNoNode || at == kEnded || knowledge_.node(at).op != Op::Join) return true;
  if (layout_.buffer_size(parent) && read_u32(new_.data() + layout_.buffer_offset(parent))) return false;
  bool moved = false;
  for (; knowledge_.node(at).op == Op::Join; moved = true) {
    if (!product_.has_ended(new_.data(), static_cast<u32>(knowledge_.node(at).location))) break;
    at = knowledge_.known_child(at, 0);
    if (at == kNoNode) return false;
  }
  if (knowledge_.node(at).op != Op::Join) return false;
  if (moved) put_u32(new_, 4 * parent, merges_ ? futures_.representative(at) : at);
  return true;
}

void ThreadSwaps::move_objects() {
  for (u32 i = 0; i < layout_.objects(); ++i) {
    machine::Object object = product_.object(std::as_const(old_).data(), i);
    if (object.owner == kNoThread && !object.waiters) continue;
    if (object.owner < layout_.threads()) object.owner = is_[object.owner];
    ThreadSet waiters = 0;
    for (ThreadSet set = object.waiters; set; set &= set - 1) waiters |= bit(is_[lowest(set)]);
    object.waiters = waiters;
    std::memcpy(new_.data() + layout_.object_offset(i), &object, sizeof object);
  }
}

bool ThreadSwaps::sort_group(const Symmetry::Group& group) {
  if (!look_at(group)) return false;
  const auto before = [](const Place& a, const Place& b) {
    return std::tuple(!a.has_ended, a.kind, a.rest) < std::tuple(!b.has_ended, b.kind, b.rest);
  };
  bool changed = false;
  // Pair by pair: not everybody may be known to get where everybody else is.
  for (size_t i = 0; i < places_.size(); ++i)
    for (size_t k = i + 1; k < places_.size(); ++k) {
      if (!before(places_[k], places_[i]) || !can_move(places_[k], members_[i]) || !can_move(places_[i], members_[k]))
        continue;
      std::swap(places_[i], places_[k]);
      changed = true;
    }
  if (!changed) return false;
  new_ = old_;
  std::iota(was_.begin(), was_.end(), ThreadId{0});
  for (size_t i = 0; i < places_.size(); ++i) {
    was_[members_[i]] = places_[i].thread;
    if (places_[i].thread != members_[i]) move(places_[i], members_[i]);
  }
  for (size_t t = 0; t < was_.size(); ++t) is_[was_[t]] = static_cast<ThreadId>(t);
  move_objects();
  return move_parent(group.parent);
}

bool ThreadSwaps::sort(std::vector<u8>& state, std::vector<ThreadId>& was) {
  was_.resize(layout_.threads());
  is_.resize(layout_.threads());
  bool changed = false;
  old_ = state;
  for (size_t i = 0; i < symmetry_.groups().size(); ++i) {
    if (Symmetry::is_apart(apart_, i) || !sort_group(symmetry_.groups()[i])) continue;
    if (!changed) {
      was = was_;
    } else {
      std::vector<ThreadId> both(was.size());
      for (size_t t = 0; t < was.size(); ++t) both[t] = was[was_[t]];
      was = both;
    }
    changed = true;
    old_.swap(new_);
  }
  if (changed) state = old_;
  return changed;
}

}  // namespace plait
