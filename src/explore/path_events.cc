#include "explore/path_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "knowledge/marks.h"
#include "machine/operation.h"

namespace plait {

using solve::PathEvent;
using Kind = PathEvent::Kind;

namespace {

/// Taken at once, whatever others do: no step of a schedule (Product::run_free_steps).
bool is_free(Op op) {
  return op == Op::Fence || op == Op::Begin || op == Op::Label || op == Op::Fork || op == Op::End || op == Op::Join;
}

/// Nothing comes after it in its thread, and others do not notice it.
bool is_last(const Node& node) {
  return node.state != Node::State::Known || node.op == Op::Exit || node.op == Op::Assume;
}

}  // namespace

PathEvents::PathEvents(const Behaviour& knowledge, const solve::InputTerms& inputs)
    : knowledge_(knowledge), inputs_(inputs), event_of_(knowledge.size(), 0) {
  if (knowledge.memory().buffers) obstacle_ = "stores wait in buffers";
}

void PathEvents::give_up(const Node& node, const char* why) {
  if (obstacle_.empty()) obstacle_ = fmt::format("{} at {}", why, place_mark(node.site));
}

u32 PathEvents::term(u32 number) {
  if (const auto found = terms_.find(number); found != terms_.end()) return found->second;
  const Expressions::Term& known = knowledge_.expressions().term(number);
  solve::PathTerm made{.op = known.op, .width = known.width, .from = known.from};
  for (int i = 0; i < 3; ++i) {
    made.constant[i] = known.constant[i];
    if (known.operand[i]) made.operand[i] = term(known.operand[i]);
  }
  if (known.op == LabelOp::Read) made.constant[0] = event_of_[known.constant[0]];
  if (known.op == LabelOp::Input) made.constant[0] = inputs_.index_of(known.constant[0]);
  const bool is_known = known.op == LabelOp::Read    ? made.constant[0] != 0
                        : known.op == LabelOp::Input ? made.constant[0] < inputs_.inputs()
                                                     : true;
  if (!is_known && obstacle_.empty()) obstacle_ = "an expression is about something unknown";
  problem_.terms.push_back(made);
  return terms_[number] = static_cast<u32>(problem_.terms.size() - 1);
}

u32 PathEvents::place_of(const Node& node) {
  const auto [at, fresh] = places_.try_emplace(node.range, static_cast<u32>(problem_.initial.size()));
  if (!fresh) return at->second;
  u64 initial = 0;
  for (u32 i = 0; i < node.size && i < 8; ++i)
    initial |= static_cast<u64>(knowledge_.initial_byte(node.location + i)) << (8 * i);
  problem_.initial.push_back(initial);
  return at->second;
}

PathEvent PathEvents::event_for(NodeId id) {
  const Node& node = knowledge_.node(id);
  PathEvent event{.thread = node.thread, .bytes = node.size};
  switch (node.op) {
    case Op::Load: event.kind = Kind::Load; break;
    case Op::Store: event.kind = Kind::Store; break;
    case Op::Rmw:
      event.kind = Kind::Update;
      event.update = static_cast<RmwKind>(node.detail);
      if (event.update > RmwKind::UMin) give_up(node, "an update without an expression");
      break;
    case Op::Cas: event.kind = Kind::Compare; break;
    case Op::Label: event.kind = Kind::Decision; break;
    case Op::Lock:
    case Op::Unlock:
      if (static_cast<machine::MutexKind>(node.detail) == machine::MutexKind::Recursive)
        give_up(node, "a recursive mutex");
      if (node.op == Op::Lock) event.kind = Kind::Lock;
      event.place = locks_.try_emplace(node.location, static_cast<u32>(locks_.size())).first->second;
      if (const auto initial = knowledge_.initial_objects().find(node.location);
          initial != knowledge_.initial_objects().end() && initial->second.owner != kNoThread)
        give_up(node, "a mutex that is locked in the beginning");
      break;
    case Op::Join:
      event.kind = Kind::Join;
      if (node.detail) give_up(node, "the result of a thread");
      break;
    case Op::Begin:
    case Op::End:
    case Op::Fork:
    case Op::Yield:
    case Op::Output:
    case Op::Fence: break;
    default: give_up(node, "an operation that constraints do not know");
  }
  if (!machine::is_memory(node.op)) event.bytes = 0;
  if (node.is_unsettled) {  // only what it is about is known
    event.kind = Kind::Other;
    event.bytes = 0;
    return event;
  }
  if (machine::is_memory(node.op)) {
    if (node.size > 8) give_up(node, "a value of 16 bytes");
    event.place = place_of(node);
  }
  event.operand = {node.operand, node.operand_term ? term(node.operand_term) : 0};
  event.expected = {node.extra, node.extra_term ? term(node.extra_term) : 0};
  if (node.op == Op::Label && !event.operand.term) give_up(node, "a decision by nothing");
  return event;
}

void PathEvents::add(NodeId id) {
  const Node& node = knowledge_.node(id);
  if (event_of_[id] || is_last(node)) return;
  const u32 number = static_cast<u32>(problem_.events.size());
  event_of_[id] = number;  // its own expressions may be about it
  PathEvent event = event_for(id);
  u32 position = node.position;
  if (node.parent != kNoNode) {
    event.before = event_of_[node.parent];
    if (has_sides(knowledge_.node(node.parent))) event.side = node.edge;
    position = position_of_[event.before] + knowledge_.edge(knowledge_.find_edge(node.parent, node.edge)).steps;
  }
  problem_.events.push_back(std::move(event));
  node_of_.push_back(id);
  position_of_.push_back(position);
}

void PathEvents::add_all() {
  for (NodeId id = 1; id < knowledge_.size(); ++id)
    if (const NodeId parent = knowledge_.node(id).parent; parent == kNoNode || event_of_[parent]) add(id);
}

void PathEvents::add_way_to(NodeId id) {
  std::vector<NodeId> way;
  for (; id != kNoNode && !event_of(id); id = knowledge_.node(id).parent) way.push_back(id);
  for (auto at = way.rbegin(); at != way.rend(); ++at) add(*at);
}

void PathEvents::find_unlocks(u32 lock, NodeId from) {
  const Node& held = knowledge_.node(node_of_[lock]);
  std::vector<NodeId> todo{from};
  while (!todo.empty()) {
    const NodeId at = todo.back();
    todo.pop_back();
    const Node& node = knowledge_.node(at);
    if (!event_of(at)) continue;
    if (node.op == Op::Unlock && node.location == held.location) {
      problem_.events[lock].unlocks.push_back(event_of(at));
      continue;
    }
    if (node.op == Op::Lock && node.location == held.location) give_up(node, "a mutex that is locked twice");
    may_be_stuck_ |= node.op == Op::Lock || node.op == Op::Join || node.op == Op::End;
    for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next)
      todo.push_back(knowledge_.target(knowledge_.edge(edge)));
  }
}

void PathEvents::find_forks_and_ends() {
  std::vector<std::vector<u32>> ends(kMaxThreads);
  for (u32 e = 1; e < problem_.events.size(); ++e)
    if (knowledge_.node(node_of_[e]).op == Op::End) ends[problem_.events[e].thread].push_back(e);
  for (u32 e = 1; e < problem_.events.size(); ++e) {
    const Node& node = knowledge_.node(node_of_[e]);
    if (node.op == Op::Fork && event_of(node.forked)) problem_.events[event_of(node.forked)].behind_one_of.push_back(e);
    if (node.op == Op::Join) problem_.events[e].behind_one_of = ends[node.location % kMaxThreads];
    if (node.op != Op::Unlock) continue;
    bool is_held = false;
    for (NodeId at = node.parent; at != kNoNode && !is_held; at = knowledge_.node(at).parent) {
      const Node& before = knowledge_.node(at);
      if (before.location != node.location) continue;
      if (before.op == Op::Unlock) break;
      is_held = before.op == Op::Lock;
    }
    if (!is_held) give_up(node, "an unlock of what the thread does not hold");
  }
}

void PathEvents::find_places() {
  std::vector<std::pair<u64, u64>> bytes;
  for (const auto& [range, place] : places_) {
    const ByteRange& its = knowledge_.ranges()[range];
    bytes.push_back({its.begin, its.begin + its.size});
  }
  std::sort(bytes.begin(), bytes.end());
  for (size_t i = 1; i < bytes.size() && obstacle_.empty(); ++i)
    if (bytes[i].first < bytes[i - 1].second) obstacle_ = "accesses of several sizes to the same memory";
}

bool PathEvents::finish() {
  find_forks_and_ends();
  find_places();
  for (u32 e = 1; e < problem_.events.size(); ++e) {
    const Node& node = knowledge_.node(node_of_[e]);
    if (node.op != Op::Lock) continue;
    for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next)
      find_unlocks(e, knowledge_.target(knowledge_.edge(edge)));
  }
  return obstacle_.empty();
}

Path PathEvents::path_of(const solve::PathAnswer& answer) const {
  Path path;
  for (const u32 event : answer.order) {
    const Node& node = knowledge_.node(node_of_[event]);
    if (!is_free(node.op)) path.steps.push_back({node.thread, 0, false, position_of_[event], node_of_[event]});
  }
  for (u32 i = 0; i < inputs_.inputs(); ++i) {
    if (answer.inputs[i] == inputs_.default_of(i)) continue;
    path.inputs.push_back(inputs_.input(i));
    path.inputs.back().value = answer.inputs[i];
    path.inputs.back().has_value = 1;
  }
  return path;
}

}  // namespace plait
