#include "explore/after_access.h"

#include <map>
#include <tuple>

#include "knowledge/races.h"
#include "machine/happens_before.h"

namespace plait {
namespace {

using machine::Operation;

// A store that waits in a buffer: its range, and what was so when it was issued.
constexpr u32 kHandsOn = 0x80000000;
constexpr u32 kKnows = 0x40000000;
constexpr u32 kRange = kKnows - 1;

Operation operation_of(const Node& node) {
  Operation operation;
  operation.op = node.op;
  operation.size = node.size;
  operation.detail = node.detail;
  operation.order = node.order;
  operation.location = node.location;
  operation.operand = node.operand;
  operation.extra = node.extra;
  return operation;
}

bool is_access(const Node& node) { return node.state == Node::State::Known && machine::is_access(node.op); }

}  // namespace

bool AfterAccess::is_needed(const Behaviour& knowledge) {
  for (NodeId id = 1; id < knowledge.size(); ++id)
    if (!knowledge.is_dead(id) && is_access(knowledge.node(id)) &&
        machine::orders_less(operation_of(knowledge.node(id))))
      return true;
  return false;
}

AfterAccess::AfterAccess(const Behaviour& knowledge, const Layout& layout, const Futures& futures,
                         const Product& product)
    : knowledge_(knowledge),
      layout_(layout),
      futures_(futures),
      product_(product),
      begin_(layout.bytes()),
      representative_(knowledge.size(), kNoNode),
      may_race_(knowledge.size(), false),
      is_mixed_(layout.cells().size(), false) {
  u32 words = 0;
  for (u32 t = 0; t < layout.threads(); ++t) {
    waiting_.push_back(words);
    words += layout.buffer_size(t);
  }
  threads_ = begin_ + 4 + 4 * words;
  objects_ = threads_ + layout.threads();
  section_ = objects_ + layout.objects();
  for (u32 range = 1; range < knowledge.ranges().size(); ++range) {
    const ByteRange& bytes = knowledge.ranges()[range];
    const auto [first, last] = layout.cells_of(range);
    for (u32 cell = first; cell < last && !bytes.block; ++cell)
      if (bytes.begin != layout.cells()[cell].begin || bytes.begin + bytes.size != layout.cells()[cell].end)
        is_mixed_[cell] = true;
  }
  u32 end = section_ + 1;
  for (u32 cell = 0; cell < layout.cells().size(); ++cell) {
    places_.push_back(end);
    end += is_mixed_[cell] ? static_cast<u32>(layout.cells()[cell].end - layout.cells()[cell].begin) : 1;
  }
  bytes_ = (end - begin_ + 7) & ~7u;
  // Nodes that stand for each other in the search have one representative here, too.
  const std::vector<bool> accesses = accesses_that_may_race(knowledge, layout);
  std::map<std::tuple<ThreadId, u32, u32, Op, Order>, NodeId> classes;
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    const Node& node = knowledge.node(id);
    if (knowledge.is_dead(id) || !is_access(node) || !layout.covers(node)) continue;
    representative_[id] =
        classes.try_emplace({node.thread, node.site, node.range, node.op, node.order}, id).first->second;
    if (accesses[id]) may_race_[representative_[id]] = true;
  }
}

/// Who knows what, in one state. Of a place in memory: whether its value hands the access on, and who stored it (times
/// two).
struct AfterAccess::View : machine::BitsOfOneAccess<View> {
  const AfterAccess& part;
  u8* state;
  u32 range;       // of the operation
  ThreadId owner;  // who performs it

  View(const AfterAccess& whole, u8* bytes, u32 touched, ThreadId thread)
      : part(whole), state(bytes), range(touched), owner(thread) {}
  u8& thread_bits(ThreadId t) { return state[part.threads_ + t]; }
  u8& object_bits(u64 key) { return state[part.objects_ + part.layout_.object_number(key)]; }
  u8& section_bits() { return state[part.section_]; }
  /// What is known of the bytes that the operation touches.
  template <class F>
  void each_place(F f) {
    const ByteRange& bytes = part.knowledge_.ranges()[range];
    for (auto [cell, last] = part.layout_.cells_of(range); cell < last; ++cell) {
      const Cell& whole = part.layout_.cells()[cell];
      u8* const first = state + part.places_[cell];
      if (!part.is_mixed_[cell]) f(*first);
      if (!part.is_mixed_[cell]) continue;
      for (u64 at = std::max(whole.begin, bytes.begin); at < std::min(whole.end, bytes.begin + bytes.size); ++at)
        f(first[at - whole.begin]);
    }
  }
  /// A thread that reads its own store, which waits, reads nothing of others.
  bool is_forwarded() {
    const u32* store = part.waiting(state, owner);
    for (u32 i = 0; i < part.layout_.buffer_size(owner) && store[i]; ++i)
      if (part.layout_.cells_of(store[i] & kRange) == part.layout_.cells_of(range)) return true;
    return false;
  }
  bool message(const Operation&) {
    bool hands_on = false;
    each_place([&](u8 place) { hands_on |= machine::hands_on_at(place); });
    return hands_on && !is_forwarded();
  }
  void write(ThreadId t, const Operation&, bool hands_on, machine::Keeps keeps) {
    each_place([&](u8& place) { place = machine::written_at(place, t, hands_on, keeps); });
  }
};

bool AfterAccess::is_candidate(const Product::Move& move) const {
  const NodeId access = representative_[knowledge_.canonical(move.node)];
  return access != kNoNode && may_race_[access];
}

bool AfterAccess::matters(const u8* state) const {
  const NodeId access = first(state);
  for (ThreadSet live = product_.live(state); live; live &= live - 1) {
    const ThreadId thread = lowest(live);
    if (state[threads_ + thread] & machine::knows::kAccess) continue;
    if (futures_.conflicts(access, product_.cursor(state, thread))) return true;
  }
  for (ThreadId t = 0; t < layout_.threads(); ++t) {
    const u32* store = waiting(const_cast<u8*>(state), t);
    for (u32 i = 0; i < layout_.buffer_size(t) && store[i]; ++i)
      if (!(store[i] & kKnows)) return true;
  }
  return false;
}

bool AfterAccess::races(const u8* state, ThreadId actor, u32 place) const {
  const NodeId access = first(state);
  if (access == kNoNode) return false;
  const Node& early = knowledge_.node(access);
  const ThreadId thread = actor < layout_.threads() ? actor : owner_of(actor);
  if (early.thread == thread) return false;
  NodeId late = product_.cursor(state, thread);
  bool knows = (state[threads_ + thread] & machine::knows::kAccess) != 0;
  if (actor != thread) {
    NodeId stores[machine::kMostBuffered];
    product_.stores(state, thread, stores);
    late = stores[place];
    const u32* store = waiting(const_cast<u8*>(state), thread);
    while ((*store & kRange) != knowledge_.node(late).range) ++store;
    knows = (*store & kKnows) != 0;
  }
  return !knows && is_race(early, knowledge_.node(late));
}

u8 AfterAccess::later_accesses(const u8* state, ThreadId actor, const std::vector<Product::Move>& done) const {
  const NodeId access = first(state);
  const ThreadId thread = actor < layout_.threads() ? actor : owner_of(actor);
  NodeId late = product_.cursor(state, thread);
  NodeId stores[machine::kMostBuffered];
  if (actor != thread)
    for (u32 i = product_.stores(state, thread, stores); i-- > 0;)
      if (is_race(knowledge_.node(access), knowledge_.node(stores[i]))) late = stores[i];
  u32 later = 0;
  for (size_t i = done.size(); i-- > 0 && representative_[knowledge_.canonical(done[i].node)] != access;)
    later += done[i].thread == knowledge_.node(access).thread &&
             is_race(knowledge_.node(done[i].node), knowledge_.node(late));
  return static_cast<u8>(std::min<u32>(later, 0xff));
}

void AfterAccess::perform(u8* state, const Product::Move& move) const {
  const Node& node = knowledge_.node(move.node);
  View view(*this, state, node.range, move.thread);
  if (node.op == Op::Store && knowledge_.is_buffered(node)) {
    u32* store = waiting(state, move.thread);
    while (*store) ++store;
    const bool hands_on = node.order > Order::Volatile && view.known(move.thread, machine::handed_on_by(node.order));
    const bool knows = view.known(move.thread, machine::knows::kAccess);
    *store = node.range | (knows ? kKnows : 0) | (hands_on ? kHandsOn : 0);
    return;
  }
  Operation operation = operation_of(node);
  if (node.op == Op::Cas) operation.extra = move.expected;
  machine::step_behind(view, move.thread, operation, move.value);
}

void AfterAccess::follow(u8* state, const Step& step, size_t chosen) const {
  if (step.flushed != kNoThread) {
    const Node& node = knowledge_.node(step.store);
    u32* store = waiting(state, step.flushed);
    while ((*store & kRange) != node.range) ++store;
    View view(*this, state, node.range, step.flushed);
    view.write(step.flushed, {}, (*store & kHandsOn) != 0,
               node.order == Order::Relaxed ? machine::Keeps::Own : machine::Keeps::Nothing);
    u32* const end = waiting(state, step.flushed) + layout_.buffer_size(step.flushed);
    for (; store + 1 < end; ++store) store[0] = store[1];
    *store = 0;
  }
  for (size_t i = 0; i < step.moves.size(); ++i) {
    if (i == chosen) {
      std::memcpy(state + begin_, &representative_[step.moves[i].node], 4);
      state[threads_ + step.moves[i].thread] = machine::knows::kAccess;
    }
    perform(state, step.moves[i]);
  }
}

}  // namespace plait
