#include "knowledge/behaviour.h"

#include <fmt/format.h>

#include <algorithm>

namespace plait {
namespace {

/// What the thread received; operations that give nothing have one edge, numbered 0.
u64 result_of(const Event& event) {
  switch (event.op) {
    case Op::Store:  // its value is what it overwrote
    case Op::Fork:
    case Op::Free:
    case Op::Alloc:
    case Op::Exit: return 0;
    default: return event.value;
  }
}

/// A failure that the thread's own history does not explain: another order of the same operations would not have failed.
bool depends_on_order(FailureKind kind) {
  switch (kind) {
    case FailureKind::Deadlock:
    case FailureKind::UseAfterFree:
    case FailureKind::DoubleFree:
    case FailureKind::LockMisuse:
    case FailureKind::ExitWithThreads:
    case FailureKind::Unsupported:
    case FailureKind::Divergence:
    case FailureKind::OutOfResources: return true;
    default: return false;
  }
}

}  // namespace

bool is_branching(Op op, u8 detail) {
  switch (op) {
    case Op::Load:
    case Op::Rmw:
    case Op::Cas:
    case Op::TryJoin:
    case Op::TryLock:
    case Op::TimedLock:
    case Op::TryReadLock:
    case Op::TimedReadLock:
    case Op::TryWriteLock:
    case Op::TimedWriteLock:
    case Op::SemTryWait:
    case Op::SemTimedWait:
    case Op::SemValue:
    case Op::OnceEnter:
    case Op::BarrierArrive:
    case Op::FutexWait:
    case Op::FutexNotify: return true;
    case Op::CondWake:
    case Op::FutexWake:
    case Op::Join: return detail != 0;
    default: return false;
  }
}

Behaviour::Behaviour() {
  nodes_.emplace_back();  // kNoNode
  main_root_ = new_node(0);
  ranges_.push_back({0, 0, false});
}

bool Behaviour::uses_bytes(const Event& event) {
  return (machine::is_memory(event.op) && event.op != Op::Fence) || event.op == Op::Alloc || machine::is_sync(event.op);
}

u64 Behaviour::bytes_of(const Event& event) {
  if (event.op == Op::Free || event.op == Op::Alloc) return event.operand;
  return event.size ? event.size : 1;
}

NodeId Behaviour::new_node(ThreadId thread) {
  nodes_.emplace_back();
  nodes_.back().thread = thread;
  if (thread + 1u > threads_) threads_ = thread + 1u;
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Behaviour::child(NodeId id, u64 result) const {
  for (size_t slot = edge_slot(id, result);; slot = (slot + 1) & (edges_.size() - 1)) {
    const NodeId at = edges_[slot];
    if (at == kNoNode || (nodes_[at].parent == id && nodes_[at].edge == result)) return at;
  }
}

size_t Behaviour::edge_slot(NodeId parent, u64 result) const {
  u64 mixed = (result + parent * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  mixed ^= mixed >> 32;
  return mixed & (edges_.size() - 1);
}

void Behaviour::add_edge(NodeId child) {
  if (++edge_count_ * 2 > edges_.size()) {
    std::vector<NodeId> old(edges_.size() * 4, kNoNode);
    old.swap(edges_);
    for (NodeId at : old)
      if (at != kNoNode) place_edge(at);
  }
  place_edge(child);
}

void Behaviour::place_edge(NodeId child) {
  size_t slot = edge_slot(nodes_[child].parent, nodes_[child].edge);
  while (edges_[slot] != kNoNode) slot = (slot + 1) & (edges_.size() - 1);
  edges_[slot] = child;
}

NodeId Behaviour::add_child(NodeId id, u64 result) {
  if (NodeId found = child(id, result)) return found;
  const NodeId fresh = new_node(nodes_[id].thread);
  Node& node = nodes_[fresh];
  Node& parent = nodes_[id];
  node.parent = id;
  node.edge = result;
  node.next_sibling = parent.first_child;
  parent.first_child = fresh;
  add_edge(fresh);
  if (is_branching(parent.op, parent.detail)) ++histories_;
  ++version_;
  return fresh;
}

u64 Behaviour::intern_wide(u128 value) {
  const std::pair<u64, u64> key{static_cast<u64>(value >> 64), static_cast<u64>(value)};
  auto [at, fresh] = wide_numbers_.try_emplace(key, wide_.size());
  if (fresh) wide_.push_back(value);
  return at->second;
}

u32 Behaviour::intern_range(ByteRange range) {
  auto [at, fresh] = range_numbers_.try_emplace({range.begin, range.size, range.block}, static_cast<u32>(ranges_.size()));
  if (fresh) ranges_.push_back(range);
  return at->second;
}

u8 Behaviour::initial_byte(u64 address) const {
  auto found = initial_words_.find(address / 8);
  return found == initial_words_.end() ? 0 : static_cast<u8>(found->second.bytes >> (8 * (address % 8)));
}

/// The first access ever seen to a byte shows what it holds at the first fork (or, in the heap, since its allocation).
void Behaviour::note_initial(const Event& event) {
  if (event.op == Op::Free || event.op == Op::Alloc) return;
  for (unsigned i = 0; i < event.size; ++i) {
    const u64 address = event.location + i;
    InitialWord& word = initial_words_[address / 8];
    const u8 flag = static_cast<u8>(1u << (address % 8));
    if (word.known & flag) continue;
    const u64 source = event.size == 16 ? static_cast<u64>(wide_[event.value] >> (8 * i)) : event.value >> (8 * i);
    word.known |= flag;
    word.bytes |= (source & 0xff) << (8 * (address % 8));
  }
}

/// Notes what the thread does at this node; false if something else is known already.
bool Behaviour::add_operation(NodeId id, const Event& event) {
  if (nodes_[id].state != Node::State::Unknown) {
    const Node& node = nodes_[id];
    // Contents of a written text and how much of it: not part of the operation.
    const bool output = event.op == Op::Output;
    return node.op == event.op && node.location == event.location && node.size == event.size && node.detail == event.detail &&
           (output || !(machine::is_memory(event.op) || event.op == Op::Fork || event.op == Op::Alloc) ||
            node.operand == event.operand);
  }
  u32 range = 0;
  if (machine::is_memory(event.op) || event.op == Op::Alloc) 
    range = intern_range({event.location, bytes_of(event), event.op == Op::Free || event.op == Op::Alloc});
  if (event.op == Op::FutexWait) range = intern_range({event.location, 4, false});
  NodeId forked = kNoNode;
  if (event.op == Op::Fork) {
    const RootKey key{static_cast<ThreadId>(event.location), event.operand, event.extra, event.value};
    auto found = roots_.find(key);
    forked = found != roots_.end() ? found->second : roots_.emplace(key, new_node(key.thread)).first->second;
  }
  Node& node = nodes_[id];
  node.location = event.location;
  node.operand = event.operand;
  if (event.op == Op::Output) node.operand = 0;
  node.extra = event.op == Op::Cas || event.op == Op::Alloc ? event.extra : 0;
  node.position = event.position;
  node.site = event.site;
  node.range = range;
  node.forked = forked;
  node.op = event.op;
  node.size = event.size;
  node.detail = event.detail;
  node.order = event.order;
  node.state = Node::State::Known;
  ++version_;
  return true;
}

std::string Behaviour::describe(NodeId id, const Event& event) {
  const Node& node = nodes_[id];
  return fmt::format("T{} did operation {} at 0x{:x} after the same history that led to operation {} at 0x{:x} before", event.thread,
                     static_cast<int>(event.op), event.location, static_cast<int>(node.op), node.location);
}

u32 Behaviour::intern_text(std::string_view text) {
  auto [at, fresh] = text_numbers_.try_emplace(std::string(text), static_cast<u32>(texts_.size()));
  if (fresh) texts_.emplace_back(text);
  return at->second;
}

std::string Behaviour::learn_filtered(std::string_view output, const Reply& reply) {
  NodeId at[kMaxThreads] = {};
  at[0] = main_root_;
  std::vector<Event>& events = filtered_;
  bool first_output_seen = false;
  for (size_t i = 0; i < events.size(); ++i) {
    Event event = events[i];
    if (event.op == Op::Extension) continue;
    if (event.op == Op::Initial) {
      machine::Object object;
      object.owner = static_cast<ThreadId>(event.value);
      object.count = static_cast<u16>(event.value >> 16);
      object.value = static_cast<i32>(event.value >> 32);
      object.waiters = event.operand;
      initial_objects_[event.location] = object;
      continue;
    }
    if ((event.flags & event_flag::kWide) && i + 1 < events.size()) {
      const Event& high = events[i + 1];
      auto join = [&](u64 low, u64 top) { return intern_wide(static_cast<u128>(top) << 64 | low); };
      event.value = join(event.value, high.value);
      event.operand = join(event.operand, high.operand);
      event.extra = join(event.extra, high.extra);
    }
    NodeId& cursor = at[event.thread];
    if (cursor == kNoNode) return fmt::format("T{} appears in a trace without having been forked", event.thread);
    const bool fresh = nodes_[cursor].state == Node::State::Unknown;
    if (!add_operation(cursor, event)) return describe(cursor, event);
    if (event.flags & event_flag::kPending) continue;
    // An access that failed returned nothing.
    const bool refused = (event.flags & event_flag::kFailed) && reply.status == RunStatus::Failed &&
                         (reply.failure.kind == FailureKind::UseAfterFree || reply.failure.kind == FailureKind::HeapOverflow ||
                          reply.failure.kind == FailureKind::DoubleFree);
    if (refused && event.thread == reply.failure.thread) continue;
    if (event.op == Op::Output) {
      if (!first_output_seen && texts_[0].empty()) texts_[0] = output.substr(0, event.operand);
      first_output_seen = true;
      nodes_[cursor].text = intern_text(output.substr(std::min<size_t>(event.operand, output.size()), event.extra));
    }
    if (fresh && machine::is_memory(event.op)) note_initial(event);
    if (event.op == Op::Fork) at[event.location] = nodes_[cursor].forked;
    if (event.op == Op::End || event.op == Op::Assume || event.op == Op::Exit) continue;
    cursor = add_child(cursor, result_of(event));
  }
  if (reply.status == RunStatus::Failed && !depends_on_order(reply.failure.kind)) {
    Node& node = nodes_[at[reply.failure.thread]];
    if (node.state == Node::State::Unknown) {
      node.state = Node::State::Failed;
      ++version_;
    }
  }
  return {};
}

}  // namespace plait
