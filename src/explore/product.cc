#include "explore/product.h"

#include <algorithm>
#include <cstring>

#include "machine/value.h"

namespace plait {

NodeId Product::cursor(const u8* state, u32 thread) const {
  const u32 at = read_u32(state + 4 * thread);
  return at == kEnded ? at : knowledge_.canonical(at);  // a search that goes on after new runs has states from before
}

void Product::set_cursor(u8* state, ThreadId thread, u32 node) const {
  if (futures_ && node != kEnded && node != kNoNode && node < futures_->size()) node = futures_->representative(node);
  std::memcpy(state + 4 * thread, &node, 4);
}

void Product::start_at(u8* state, ThreadId thread, NodeId root) const {
  root = knowledge_.canonical(root);
  if (positions_) positions_[thread] = knowledge_.node(root).position;
  set_cursor(state, thread, root);
}

void Product::note_steps(ThreadId thread, NodeId from, u64 value, u64 expected) const {
  const Node& node = knowledge_.node(from);
  if (positions_)
    positions_[thread] += knowledge_.edge(knowledge_.find_edge(from, Behaviour::edge_of(node, value))).steps;
  if (moves_ && node.op != Op::Fork && node.op != Op::Label) moves_->push_back({thread, from, value, expected});
}

solve::InputValue Product::value_at(const u8* state, NodeId at, u32 term) {
  if (conditions_ && knowledge_.expressions().term(term).last == 0) return of_inputs(term);
  const std::vector<u32>& alive = layout_.alive(at);
  const auto place = static_cast<u32>(std::lower_bound(alive.begin(), alive.end(), term) - alive.begin());
  const ThreadId thread = knowledge_.node(at).thread;
  solve::InputValue value;
  std::memcpy(&value.value, state + layout_.values_offset(thread) + 8 * place, 8);
  if (conditions_) value.term = read_u32(state + layout_.value_terms_offset(thread) + 4 * place);
  return value;
}

void Product::move(u8* state, ThreadId thread, NodeId from, solve::InputValue value, NodeId to) {
  if (conditions_ && layout_.has_node(to)) {
    move_values(state, thread, from, value, to);
  } else if (layout_.has_values() && layout_.has_node(to)) {
    const std::vector<u32>&before = layout_.alive(from), &after = layout_.alive(to);
    kept_.clear();
    for (const u32 term : after) {
      const bool is_new = knowledge_.expressions().term(term).last == from;
      const auto known = [&](u32 part) { return value_at(state, from, part).value; };
      kept_.push_back(is_new ? evaluator_.value(term, value.value, known) : known(term));
    }
    while (kept_.size() < before.size()) kept_.push_back(0);
    if (!kept_.empty()) std::memcpy(state + layout_.values_offset(thread), kept_.data(), 8 * kept_.size());
  }
  set_cursor(state, thread, to);
}

machine::Object& Product::object(u8* state, u32 number) const {
  return *reinterpret_cast<machine::Object*>(state + layout_.object_offset(number));
}

ThreadSet Product::live(const u8* state) const {
  ThreadSet set = 0;
  for (u32 t = 0; t < layout_.threads(); ++t) {
    if (cursor(state, t) != kNoNode && !has_ended(state, t)) set |= bit(static_cast<ThreadId>(t));
  }
  return set;
}

ThreadSet Product::stopped(const u8* state) const {
  ThreadSet set = 0;
  for (ThreadSet left = live(state); left; left &= left - 1) {
    const Node& node = knowledge_.node(cursor(state, lowest(left)));
    const bool assumes = node.state == Node::State::Known && node.op == Op::Assume;
    if (node.state == Node::State::Failed || assumes) set |= bit(lowest(left));
  }
  return set;
}

ThreadSet Product::exiting(const u8* state) const {
  ThreadSet set = 0;
  for (ThreadSet left = live(state); left; left &= left - 1) {
    const Node& node = knowledge_.node(cursor(state, lowest(left)));
    if (node.state == Node::State::Known && node.op == Op::Exit) set |= bit(lowest(left));
  }
  return set;
}

ThreadSet Product::ended(const u8* state) const {
  ThreadSet set = 0;
  for (u32 t = 0; t < layout_.threads(); ++t)
    if (has_ended(state, t)) set |= bit(static_cast<ThreadId>(t));
  return set;
}

namespace {

/// The machine's functions see the operation's objects as numbers 1 and 2 of a small table.
struct Workbench {
  machine::Object objects[3];
  machine::SyncState state;
  machine::Operation operation;
  u32 numbers[3] = {};
};

}  // namespace

machine::Operation Product::operation_of(const Node& node) const {
  machine::Operation operation;
  operation.op = node.op;
  operation.size = node.size;
  operation.detail = node.detail;
  operation.order = node.order;
  operation.location = node.location;
  operation.operand = node.operand;
  operation.extra = node.extra;
  return operation;
}

namespace {

template <class GetObject>
void set_up(Workbench& bench, const Layout& layout, const Node& node, GetObject get) {
  const machine::ObjectKeys keys = object_keys(node);
  const u64 key[2] = {keys.first, keys.second};
  for (u32 i = 0; i < 2; ++i) {
    if (!key[i]) continue;
    bench.numbers[i + 1] = layout.object_number(key[i]);
    bench.objects[i + 1] = get(bench.numbers[i + 1]);
  }
  bench.operation.object = keys.first ? 1 : 0;
  bench.operation.object2 = keys.second ? 2 : 0;
  bench.state.objects = bench.objects;
}

}  // namespace

ThreadSet Product::enabled(const u8* state) const {
  ThreadSet set = 0;
  const u32 owner = read_u32(state + layout_.atomic_offset());
  for (u32 t = 0; t < layout_.threads(); ++t) {
    const u32 at = cursor(state, t);
    if (at == kNoNode || at == kEnded) continue;
    if (buffered(state, t, 0)) {
      set |= bit(buffer_of(static_cast<ThreadId>(t)));
      if (waits_for_buffer(state, static_cast<ThreadId>(t))) continue;
    }
    const Node& node = knowledge_.node(at);
    if (node.state != Node::State::Known || node.op == Op::Join || node.op == Op::End || node.op == Op::Assume ||
        waits_for_room(state, node))
      continue;
    if (machine::can_block(node.op)) {
      Workbench bench;
      bench.operation = operation_of(node);
      set_up(bench, layout_, node, [&](u32 number) { return object(state, number); });
      if (!machine::enabled(bench.state, static_cast<ThreadId>(t), bench.operation)) continue;
    }
    set |= bit(static_cast<ThreadId>(t));
  }
  return owner ? set & knowledge_.memory().actors_of(static_cast<ThreadId>(owner - 1)) : set;
}

ThreadId Product::awaited(const u8* state, ThreadId thread) const {
  const Node& node = knowledge_.node(cursor(state, thread));
  if (node.state != Node::State::Known || waits_for_buffer(state, thread)) return kNoThread;
  Workbench bench;
  bench.operation = operation_of(node);
  set_up(bench, layout_, node, [&](u32 number) { return object(state, number); });
  return machine::awaited(bench.state, thread, bench.operation);
}

ThreadSet Product::cycle(const u8* state) const {
  const ThreadSet blocked = live(state) & ~enabled(state);
  ThreadId next[kMaxThreads];
  for (ThreadSet left = blocked; left; left &= left - 1) next[lowest(left)] = awaited(state, lowest(left));
  for (ThreadSet left = blocked; left; left &= left - 1) {
    ThreadId at = lowest(left);
    ThreadSet met = 0;
    while (at != kNoThread && (blocked & bit(at)) && !(met & bit(at))) {
      met |= bit(at);
      at = next[at];
    }
    if (at == lowest(left)) return met;
  }
  return 0;
}

ThreadSet Product::choices(const u8* state, ThreadId thread) const {
  if (thread >= layout_.threads()) {
    const u64 places = flushable(state, owner_of(thread));
    return places & (places - 1) ? places : 0;
  }
  const Node& node = knowledge_.node(cursor(state, thread));
  if (!machine::traits(node.op).chooses) return 0;
  Workbench bench;
  bench.operation = operation_of(node);
  set_up(bench, layout_, node, [&](u32 number) { return object(state, number); });
  return machine::choices(bench.state, thread, bench.operation);
}

bool Product::end_program(u8* state, StepResult& result) const {
  if (layout_.has_values()) {
    const u32 begin = layout_.values_offset(0);
    std::memset(state + begin, 0, layout_.values_offset(layout_.threads()) - begin);
  }
  if (conditions_) {  // to the end of the terms
    const u32 begin = layout_.condition_offset();
    std::memset(state + begin, 0, layout_.byte_term_offset(layout_.cells_end()) - begin);
  }
  for (u32 t = 0; t < layout_.threads(); ++t) {
    set_cursor(state, static_cast<ThreadId>(t), kEnded);
    for (u32 i = 0; buffered(state, t, i); ++i) set_buffered(state, t, i, 0);
  }
  result.kind = StepKind::ProgramEnd;
  return false;
}

bool Product::perform(u8* state, const Node& node, u16 arg, StepResult& result) {
  if (machine::is_memory(node.op)) return perform_memory(state, node, result);
  switch (node.op) {
    case Op::Alloc: begin_block(state, node); return true;
    case Op::AtomicBegin: {
      const u32 owner = node.thread + 1u;
      std::memcpy(state + layout_.atomic_offset(), &owner, 4);
      return true;
    }
    case Op::Output:
      if (outputs_) {
        const u32 written = outputs_->after(read_u32(state + layout_.output_offset()), node.text);
        std::memcpy(state + layout_.output_offset(), &written, 4);
      }
      return true;
    case Op::Exit: return end_program(state, result);
    default: break;
  }
  if (!machine::is_sync(node.op)) return true;
  Workbench bench;
  bench.operation = operation_of(node);
  set_up(bench, layout_, node, [&](u32 number) { return object(state, number); });
  bench.state.ended = ended(state);
  if (node.op == Op::FutexWait) {
    u32 word;
    if (has_terms(state, layout_.offset_of(node.range), 4)) give_up("a futex word depends on inputs");
    std::memcpy(&word, state + layout_.offset_of(node.range), 4);
    bench.operation.extra = word;
  }
  const machine::Outcome outcome = machine::perform(bench.state, node.thread, bench.operation, arg);
  for (u32 i = 1; i <= 2; ++i)
    if ((i == 1 ? bench.operation.object : bench.operation.object2) != 0)
      object(state, bench.numbers[i]) = bench.objects[i];
  result.value = outcome.value;
  if (outcome.misuse == machine::Misuse::None) return true;
  result.kind = outcome.misuse == machine::Misuse::UseFreed ? StepKind::Lifetime : StepKind::Misuse;
  return false;
}

NodeId Product::next_node(NodeId from, u64 value, StepResult& result) const {
  value = Behaviour::edge_of(knowledge_.node(from), value);
  const NodeId next = knowledge_.known_child(from, value);
  if (next != kNoNode) return next;
  result.kind = StepKind::Unknown;
  result.missing = from;
  result.missing_value = value;
  return kNoNode;
}

bool Product::let_joiners_go_on(u8* state, ThreadId thread, const Node& end, StepResult& result) {
  for (u32 t = 0; t < layout_.threads(); ++t) {
    const u32 at = cursor(state, t);
    if (at == kNoNode || at == kEnded) continue;
    const Node& other = knowledge_.node(at);
    if (other.state != Node::State::Known || other.op != Op::Join || other.location != thread) continue;
    if (buffered(state, t, 0)) continue;  // it goes on when its own stores have left
    if (!advance(state, static_cast<ThreadId>(t), at, {other.detail ? end.operand : 0, 0}, result)) return false;
  }
  return true;
}

bool Product::run_free_steps(u8* state, ThreadId thread, StepResult& result) {
  for (;;) {
    const NodeId id = cursor(state, thread);
    const Node& node = knowledge_.node(id);
    if (node.state == Node::State::Failed) return true;  // it goes no further; others may come before its failure
    if (node.state == Node::State::Unknown) {            // only roots: edges to unknown nodes are not followed
      result.kind = StepKind::Unknown;
      result.missing = id;
      return false;
    }
    if (!layout_.covers(node) || !layout_.has_node(id))
      return true;  // learned after the layout was made: beyond the horizon of this search
    if (knowledge_.drains(node) && buffered(state, thread, 0)) return true;
    u64 value = 0;
    switch (node.op) {
      case Op::Store:
        if (!waits_for_room(state, node) || !push(state, thread, id)) return true;
        break;
      case Op::Fence:
        if (knowledge_.memory().is_barrier(node.op, node.order)) put_barrier(state, thread);
        break;
      case Op::Begin: value = 0; break;
      case Op::Label:
        value = decide(state, id, value_at(state, id, node.operand_term),
                       knowledge_.expressions().term(node.operand_term).width);
        result.decision = id;
        result.side = value;
        break;
      case Op::AtomicEnd: std::memset(state + layout_.atomic_offset(), 0, 4); break;
      case Op::Alloc:
        if (node.detail == machine::kLocalVariable) return true;
        begin_block(state, node);
        break;
      case Op::Fork: {
        const auto child = static_cast<ThreadId>(node.location);
        if (moves_) moves_->push_back({thread, id, 0, 0});  // before what its child does
        start_at(state, child, node.forked);
        // The child runs up to its first visible operation before its parent goes on.
        if (!run_free_steps(state, child, result)) return false;
        break;
      }
      case Op::End:
        // The cursor stays here: the node knows the thread's result.
        return let_joiners_go_on(state, thread, node, result);
      case Op::Join: {
        const NodeId child = cursor(state, static_cast<u32>(node.location));
        if (!has_ended(state, static_cast<u32>(node.location))) return true;
        if (node.detail) value = knowledge_.node(child).operand;
        break;
      }
      default: return true;
    }
    const NodeId next = next_node(id, value, result);
    if (next == kNoNode) return false;
    note_steps(thread, id, value, 0);
    move(state, thread, id, {value, 0}, next);
  }
}

bool Product::advance(u8* state, ThreadId thread, NodeId from, solve::InputValue value, StepResult& result) {
  const NodeId next = next_node(from, value.value, result);
  if (next == kNoNode) return false;
  note_steps(thread, from, value.value, result.expected);
  move(state, thread, from, value, next);
  return run_free_steps(state, thread, result);
}

bool Product::initial(std::vector<u8>& state, StepResult& result) {
  state = layout_.initial();
  start_at(state.data(), 0, knowledge_.main_root());
  result = {};
  const bool known = run_free_steps(state.data(), 0, result) || result.kind != StepKind::Unknown;
  settle_conditions(state.data());
  return known;
}

StepResult Product::step(u8* state, ThreadId thread, u16 arg) {
  if (thread >= layout_.threads()) return flush(state, owner_of(thread), arg);
  StepResult result;
  result.node = cursor(state, thread);
  const Node node = knowledge_.node(result.node);
  if (!perform(state, node, arg, result)) return result;
  if (node.op == Op::End) {
    run_free_steps(state, thread, result);
    settle_conditions(state);
    return result;
  }
  advance(state, thread, result.node, {result.value, result.term}, result);
  settle_conditions(state);
  return result;
}

}  // namespace plait
