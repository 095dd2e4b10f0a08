#include "knowledge/behaviour.h"

#include <fmt/format.h>

#include <algorithm>

#include "knowledge/marks.h"

namespace plait {
namespace {

/// A failure that the thread's own history does not explain: another order of the same operations would not have
/// failed.
bool depends_on_order(FailureKind kind) {
  switch (kind) {
    case FailureKind::Deadlock:
    case FailureKind::ExitWithThreads:
    case FailureKind::Unsupported:
    case FailureKind::Divergence:
    case FailureKind::OutOfResources: return true;
    default: return false;
  }
}

std::string name_of(ThreadId thread) { return thread == 0 ? "main" : fmt::format("T{}", thread); }

}  // namespace

Behaviour::Behaviour(const machine::MemoryRules& memory) : memory_(memory) {
  nodes_.emplace_back();  // kNoNode
  same_as_.push_back(kNoNode);
  main_root_ = new_node(0);
  ranges_.push_back({0, 0, false});
}

NodeId Behaviour::new_node(ThreadId thread) {
  nodes_.emplace_back();
  nodes_.back().thread = thread;
  same_as_.push_back(static_cast<NodeId>(same_as_.size()));
  if (thread + 1u > threads_) threads_ = thread + 1u;
  return static_cast<NodeId>(nodes_.size() - 1);
}

u64 Behaviour::histories() const {
  u64 count = 0;
  for (const Edge& edge : edges_)
    if (const Node& from = nodes_[edge.from]; edge.from != kNoNode && !from.is_symbol)
      count += from.op == Op::Label || machine::is_branching(from.op, from.detail);
  return count;
}

u32 Behaviour::find_edge(NodeId id, u64 result) const {
  for (size_t slot = edge_slot(id, result);; slot = (slot + 1) & (edge_table_.size() - 1)) {
    const u32 at = edge_table_[slot];
    if (at == 0 || (edges_[at].from == id && edges_[at].result == result)) return at;
  }
}

size_t Behaviour::edge_slot(NodeId from, u64 result) const {
  u64 mixed = (result + from * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  mixed ^= mixed >> 32;
  return mixed & (edge_table_.size() - 1);
}

/// An edge that moves to another node leaves its old place in the table behind: nobody finds it there.
void Behaviour::place_edge(u32 number) {
  size_t slot = edge_slot(edges_[number].from, edges_[number].result);
  while (edge_table_[slot] != 0) slot = (slot + 1) & (edge_table_.size() - 1);
  edge_table_[slot] = number;
}

u32 Behaviour::add_edge(NodeId id, u64 result) {
  if (u32 found = find_edge(id, result)) return found;
  const NodeId fresh = new_node(nodes_[id].thread);
  nodes_[fresh].parent = id;
  nodes_[fresh].edge = result;
  const u32 number = static_cast<u32>(edges_.size());
  edges_.push_back({result, id, fresh, 0, nodes_[id].first_edge});
  nodes_[id].first_edge = number;
  if ((edges_.size() + merged_) * 2 > edge_table_.size()) {
    edge_table_.assign(edge_table_.size() * 4, 0);
    for (u32 at = 1; at < number; ++at)
      if (edges_[at].from != kNoNode) place_edge(at);
  }
  place_edge(number);
  ++version_;
  return number;
}

NodeId Behaviour::at_state(NodeId id, const Event& event) {
  std::pair<u64, u64> state{event.state_low, event.state_high};
  // A thread that has ended has no state but its result. (Fingerprints are odd in their first half.)
  if (event.op == Op::End) state = {static_cast<u64>(event.thread + 1u) << 8, event.operand};
  if (event.op == Op::Assume) state = {static_cast<u64>(event.thread + 1u) << 8 | 2, 0};  // likewise
  if (event.op == Op::Exit) state = {static_cast<u64>(event.thread + 1u) << 8 | 4, event.value};
  if (state.first == 0 && state.second == 0) return id;
  auto [at, fresh] = states_.try_emplace(state, id);
  if (fresh) return id;
  unify(id, at->second);
  return canonical(id);
}

void Behaviour::unify(NodeId a, NodeId b) {
  to_unify_.assign(1, {a, b});
  while (!to_unify_.empty()) {
    auto [x, y] = to_unify_.back();
    to_unify_.pop_back();
    x = canonical(x);
    y = canonical(y);
    if (x == y) continue;
    if (x > y) std::swap(x, y);  // y goes
    Node &kept = nodes_[x], &gone = nodes_[y];
    same_as_[y] = x;
    ++merged_;
    ++version_;
    if (kept.state == Node::State::Unknown) {
      const Node old = kept;
      kept = gone;
      kept.parent = old.parent;
      kept.edge = old.edge;
      if (old.parent == kNoNode) kept.position = old.position;
      kept.first_edge = 0;
      for (u32 at = gone.first_edge; at;) {
        const u32 next = edges_[at].next;
        edges_[at].from = x;
        edges_[at].next = kept.first_edge;
        kept.first_edge = at;
        place_edge(at);
        at = next;
      }
      gone.first_edge = 0;
      continue;
    }
    if (gone.state == Node::State::Unknown) continue;
    if (kept.state != gone.state || kept.op != gone.op || kept.location != gone.location || kept.size != gone.size ||
        kept.operand != gone.operand || kept.detail != gone.detail) {
      if (kept.op == Op::Free && gone.op == Op::Free && kept.location == gone.location) resized_block_ = kept.location;
      clash_ = fmt::format("in the same state, {} goes on at {} or at {}: something that decides is not seen",
                           name_of(kept.thread), place_mark(kept.site), place_mark(gone.site));
    }
    if (kept.forked != kNoNode && gone.forked != kNoNode) to_unify_.emplace_back(kept.forked, gone.forked);
    unify_edges(x, y);
  }
}

void Behaviour::unify_edges(NodeId into, NodeId from) {
  for (u32 at = nodes_[from].first_edge; at;) {
    Edge& edge = edges_[at];
    const u32 next = edge.next;
    if (const u32 twin = find_edge(into, edge.result)) {
      to_unify_.emplace_back(edge.to, edges_[twin].to);
      if (!edges_[twin].steps) edges_[twin].steps = edge.steps;
      if (edge.steps && edge.steps != edges_[twin].steps) clash_ = "a thread does more or less in the same state";
      edge.from = kNoNode;
    } else {
      edge.from = into;
      edge.next = nodes_[into].first_edge;
      nodes_[into].first_edge = at;
      place_edge(at);
    }
    at = next;
  }
  nodes_[from].first_edge = 0;
}

u64 Behaviour::intern_wide(u128 value) {
  const std::pair<u64, u64> key{static_cast<u64>(value >> 64), static_cast<u64>(value)};
  auto [at, fresh] = wide_numbers_.try_emplace(key, wide_.size());
  if (fresh) wide_.push_back(value);
  return at->second;
}

u64 Behaviour::find_wide(u128 value) const {
  const auto found = wide_numbers_.find({static_cast<u64>(value >> 64), static_cast<u64>(value)});
  return found == wide_numbers_.end() ? kNoWide : found->second;
}

u32 Behaviour::intern_range(ByteRange range) {
  auto [at, fresh] =
      range_numbers_.try_emplace({range.begin, range.size, range.block}, static_cast<u32>(ranges_.size()));
  if (fresh) ranges_.push_back(range);
  return at->second;
}

u8 Behaviour::initial_byte(u64 address) const {
  auto found = initial_words_.find(address / 8);
  return found == initial_words_.end() ? 0 : static_cast<u8>(found->second.bytes >> (8 * (address % 8)));
}

/// The first access ever seen to a byte shows what it holds at the first fork (or, in the heap, since its allocation).
void Behaviour::note_initial(const Event& event) {
  if (machine::is_block(event.op)) return;
  for (unsigned i = 0; i < event.size; ++i) {
    const u64 address = event.location + i;
    InitialWord& word = initial_words_[address / 8];
    const u8 flag = static_cast<u8>(1u << (address % 8));
    if (word.known & flag) continue;
    const u64 source = event.size == 16 ? static_cast<u64>(wide_[event.value] >> (8 * i)) : event.value >> (8 * i);
    word.known |= flag;
    word.bytes |= (source & 0xff) << (8 * (address % 8));
    initial_version_ += (source & 0xff) != 0;
  }
}

bool Behaviour::is_same_operation(Node& node, const Event& event, const Terms& terms) {
  if (node.op != event.op || node.location != event.location || node.size != event.size || node.detail != event.detail)
    return false;
  if (terms.is_unsettled) return true;
  if (node.is_unsettled) {
    node.operand = event.operand;
    node.operand_term = terms.operand;
    node.extra_term = terms.extra;
    node.is_symbol = terms.is_symbol;
    node.is_unsettled = false;
    ++version_;
  }
  if (node.operand_term != terms.operand || node.extra_term != terms.extra || node.is_symbol != terms.is_symbol)
    return false;
  // Contents of a written text and how much of it: not part of the operation.
  const bool output = event.op == Op::Output;
  return output || !(machine::is_memory(event.op) || event.op == Op::Fork || event.op == Op::Alloc) ||
         node.operand == event.operand;
}

/// Notes what the thread does at this node; false if something else is known already.
bool Behaviour::add_operation(NodeId id, const Event& event, const Terms& terms) {
  // A failure may turn out to be that of an operation, once its bytes are known to be shared.
  const bool failed = nodes_[id].state == Node::State::Failed && nodes_[id].op == Op::None;
  if (nodes_[id].state != Node::State::Unknown && !failed) return is_same_operation(nodes_[id], event, terms);
  u32 range = 0;
  if (machine::traits(event.op).bytes != machine::Bytes::None && event.op != Op::Input)
    range = intern_range({event.location, machine::bytes_of(event), machine::is_block(event.op)});
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
  if (node.parent == kNoNode) node.position = event.position;
  node.site = event.site;
  node.range = range;
  node.forked = forked;
  node.operand_term = terms.operand;
  node.extra_term = terms.extra;
  node.is_symbol = terms.is_symbol;
  node.is_unsettled = terms.is_unsettled;
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
  if (node.op == Op::Free && event.op == Op::Free && node.location == event.location) resized_block_ = node.location;
  // Where it was last: what decided lies behind that.
  u32 before = kNoSite;
  for (const Event& earlier : filtered_) {
    if (earlier.thread == event.thread && earlier.position == event.position) break;
    if (earlier.thread == event.thread && !is_note(earlier.op)) before = earlier.site;
  }
  return fmt::format(
      "after {}, {} came to {} and used {}; with the same results it had come to {} and used {} before: "
      "something in between is not seen (a library, or memory without a value)",
      place_mark(before), name_of(event.thread), place_mark(event.site), memory_mark(event.location),
      place_mark(node.site), memory_mark(node.location));
}

u32 Behaviour::intern_text(std::string_view text) {
  auto [at, fresh] = text_numbers_.try_emplace(std::string(text), static_cast<u32>(texts_.size()));
  if (fresh) texts_.emplace_back(text);
  return at->second;
}

std::string Behaviour::learn_filtered(std::string_view output, std::span<const Failure> failures, bool states,
                                      LabelReader* labels) {
  news_.reset();
  NodeId at[kMaxThreads] = {};
  u32 came_by[kMaxThreads] = {};   // the edge that led there
  u32 position[kMaxThreads] = {};  // of the operation before
  at[0] = main_root_;
  std::vector<Event>& events = filtered_;
  bool first_output_seen = false;
  if (labels && memory_.buffers) decide_what_waits();
  for (size_t i = 0; i < events.size(); ++i) {
    Event event = events[i];
    if (event.op == Op::Extension) continue;
    if (event.op == Op::Initial) {
      initial_objects_[event.location] = machine::initial_object(event);
      continue;
    }
    if ((event.flags & event_flag::kWide) && i + 1 < events.size()) {
      const Event& high = events[i + 1];
      auto join = [&](u64 low, u64 top) { return intern_wide(static_cast<u128>(top) << 64 | low); };
      event.value = join(event.value, high.value);
      event.operand = join(event.operand, high.operand);
      event.extra = join(event.extra, high.extra);
    }
    Terms terms;
    if (labels && event.op == Op::Label) {
      if (!read_decision(event, terms, *labels)) continue;
    } else if (labels) {
      terms = terms_behind(i, *labels);
      if (terms.operand) event.operand = 0;
      if (terms.extra) event.extra = 0;
    }
    if (terms.is_foreign) return fmt::format("at {} a thread uses what it has not read itself", place_mark(event.site));
    if (terms.is_unbounded) return fmt::format("at {} a store of inputs waits in a buffer", place_mark(event.site));
    NodeId& cursor = at[event.thread];
    if (cursor == kNoNode) return fmt::format("T{} appears in a trace without having been forked", event.thread);
    cursor = canonical(cursor);  // other threads' news may have merged it
    if (states) cursor = at_state(cursor, event);
    if (!clash_.empty()) return clash_;
    if (u32 edge = came_by[event.thread]) {
      const u32 steps = event.position - position[event.thread];
      // The edge may have become one with another, which has the steps, too.
      if (edges_[edge].from != kNoNode) {
        if (!edges_[edge].steps) edges_[edge].steps = steps;
        if (edges_[edge].steps != steps)
          return fmt::format("on its way to {}, {} did more or less than before with the same results",
                             place_mark(event.site), name_of(event.thread));
      }
    }
    if (nodes_[cursor].state == Node::State::Unknown) note_news(News::Kind::Operation, cursor, 0, event);
    if (!add_operation(cursor, event, terms)) return describe(cursor, event);
    if (terms.is_symbol) labels->name(event.thread, event.position, cursor);
    if (event.flags & event_flag::kPending) continue;
    if (event.flags & event_flag::kRefused) continue;  // it returned nothing, and its thread did nothing more
    if (event.op == Op::Output) {
      if (!first_output_seen && texts_[0].empty()) texts_[0] = output.substr(0, event.operand);
      first_output_seen = true;
      nodes_[cursor].text = intern_text(output.substr(std::min<size_t>(event.operand, output.size()), event.extra));
    }
    // Performed for the first time; earlier runs may have ended in front of it.
    if (nodes_[cursor].first_edge == 0 && machine::is_memory(event.op)) note_initial(event);
    if (event.op == Op::Fork) at[event.location] = nodes_[cursor].forked;
    if (event.op == Op::End || event.op == Op::Assume || event.op == Op::Exit) continue;
    const u64 result = edge_of(nodes_[cursor], machine::result_of(event));
    if (!find_edge(cursor, result)) note_news(News::Kind::Result, cursor, result, event);
    came_by[event.thread] = add_edge(cursor, result);
    position[event.thread] = event.position;
    cursor = target(edges_[came_by[event.thread]]);
  }
  note_failures(failures, at);
  std::copy(std::begin(at), std::end(at), stood_at_);
  return {};
}

void Behaviour::note_failures(std::span<const Failure> failures, const NodeId* at) {
  for (const Failure& failure : failures) {
    if (failure.by_order || depends_on_order(failure.kind)) continue;
    const NodeId id = canonical(at[failure.thread]);
    if (nodes_[id].state != Node::State::Unknown) continue;
    nodes_[id].state = Node::State::Failed;
    if (!filtered_.empty()) note_news(News::Kind::Failure, id, 0, filtered_.back());
    ++version_;
  }
}

}  // namespace plait
