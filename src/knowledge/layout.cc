#include "knowledge/layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace plait {

machine::ObjectKeys object_keys(const Node& node) {
  return machine::object_keys(node.op, node.thread, node.location, node.operand);
}

Layout::Layout(const Behaviour& knowledge)
    : knowledge_(knowledge), threads_(knowledge.threads()), version_(knowledge.version()) {
  const auto& ranges = knowledge.ranges();
  range_cells_.resize(ranges.size());
  range_offset_.resize(ranges.size());

  // Blocks do not make cells of their own, except for one byte at their start, so that a block nobody touches can still
  // be freed twice.
  std::vector<bool> is_freed(ranges.size(), false);
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    if (knowledge.is_dead(id)) continue;
    const Node& node = knowledge.node(id);
    if (node.op == Op::Free) is_freed[node.range] = true;
    const machine::ObjectKeys keys = object_keys(node);
    if (keys.first) object_numbers_.try_emplace(keys.first, 0);
    if (keys.second) object_numbers_.try_emplace(keys.second, 0);
  }
  for (const auto& [key, object] : knowledge.initial_objects()) object_numbers_.try_emplace(key, 0);
  u32 number = 0;
  for (auto& entry : object_numbers_) entry.second = number++;

  find_cells();
  objects_begin_ = (threads_ * 4 + 8 + 7) / 8 * 8;
  u32 offset = cells_begin_ = objects_begin_ + 16 * number;
  for (Cell& cell : cells_) {
    cell.offset = offset;
    offset += static_cast<u32>(cell.end - cell.begin);
  }
  cells_end_ = offset;
  for (size_t i = 1; i < ranges.size(); ++i) {
    const u64 begin = ranges[i].begin, end = begin + ranges[i].size;
    auto first =
        std::partition_point(cells_.begin(), cells_.end(), [&](const Cell& cell) { return cell.end <= begin; });
    auto last = std::partition_point(first, cells_.end(), [&](const Cell& cell) { return cell.begin < end; });
    range_cells_[i] = {static_cast<u32>(first - cells_.begin()), static_cast<u32>(last - cells_.begin())};
    if (!ranges[i].block && first != last) range_offset_[i] = first->offset + static_cast<u32>(begin - first->begin);
    if (!is_freed[i]) continue;
    for (auto cell = first; cell != last; ++cell) {
      cell->freed_offset = 1;  // its place comes below
      cell->freed_in_parts |= cell->begin < begin || cell->end > end;
    }
  }
  for (Cell& cell : cells_)
    if (cell.freed_offset)
      cell.freed_offset =
          std::exchange(offset, offset + (cell.freed_in_parts ? static_cast<u32>(cell.end - cell.begin) : 1));
  find_objects();
  buffers_ = buffers();
  offset = (offset + 3) / 4 * 4;
  for (Buffer& buffer : buffers_) {
    buffer.offset = offset;
    offset += 4 * buffer.size;
  }
  bytes_ = place_values((offset + 7) / 8 * 8);
}

u32 Layout::place_values(u32 offset) {
  if (!knowledge_.is_symbolic()) return offset;
  alive_.resize(knowledge_.size());
  was_known_.resize(knowledge_.size());
  std::vector<u32> most(threads_, 0);
  for (NodeId id = knowledge_.size() - 1; id > 0; --id) {  // a tree: what is behind a node has larger numbers
    const Node& node = knowledge_.node(id);
    was_known_[id] = node.state == Node::State::Known && !node.is_unsettled;
    std::vector<u32>& alive = alive_[id];
    for (const u32 term : {node.operand_term, node.extra_term})
      if (term && knowledge_.expressions().term(term).last != 0) alive.push_back(term);
    for (u32 at = node.first_edge; at; at = knowledge_.edge(at).next)
      for (const u32 term : alive_[knowledge_.target(knowledge_.edge(at))]) {
        if (knowledge_.expressions().term(term).last != id)
          alive.push_back(term);
        else
          knowledge_.expressions().add_parts_before(term, alive);
      }
    std::sort(alive.begin(), alive.end());
    alive.erase(std::unique(alive.begin(), alive.end()), alive.end());
    most[node.thread] = std::max(most[node.thread], static_cast<u32>(alive.size()));
  }
  for (const u32 count : most) {
    values_offset_.push_back(offset);
    offset += 8 * count;
  }
  values_offset_.push_back(offset);
  return knowledge_.expressions().has_inputs() ? place_inputs(offset, most) : offset;
}

u32 Layout::place_inputs(u32 offset, const std::vector<u32>& values) {
  condition_offset_ = offset;
  offset += 4;
  for (const u32 count : values) {
    value_terms_offset_.push_back(offset);
    offset += 4 * count;
  }
  value_terms_offset_.push_back(offset);
  byte_terms_begin_ = offset;
  offset += 4 * (cells_end_ - cells_begin_);
  find_inputs_ahead();
  return (offset + 7) / 8 * 8;
}

void Layout::find_inputs_ahead() {
  inputs_ahead_.resize(knowledge_.size());
  const auto add = [](std::vector<u64>& to, const std::vector<u64>& more) {
    const size_t before = to.size();
    to.insert(to.end(), more.begin(), more.end());
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
    return to.size() != before;
  };
  // Roots may have smaller numbers than what forks them.
  for (bool grew = true; grew;) {
    grew = false;
    for (NodeId id = knowledge_.size() - 1; id > 0; --id) {
      const Node& node = knowledge_.node(id);
      std::vector<u64> ahead;
      for (const u32 term : {node.operand_term, node.extra_term})
        if (term) knowledge_.expressions().add_inputs(term, ahead);
      if (node.forked != kNoNode) add(ahead, inputs_ahead_[node.forked]);
      for (u32 at = node.first_edge; at; at = knowledge_.edge(at).next)
        add(ahead, inputs_ahead_[knowledge_.target(knowledge_.edge(at))]);
      grew |= add(inputs_ahead_[id], ahead);
    }
  }
}

void Layout::find_cells() {
  const auto& ranges = knowledge_.ranges();
  struct Span {
    u64 begin, end;
  };
  std::vector<Span> spans;
  for (size_t i = 1; i < ranges.size(); ++i)
    spans.push_back({ranges[i].begin, ranges[i].begin + (ranges[i].block ? 1 : ranges[i].size)});
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  for (const Span& span : spans) {
    if (!cells_.empty() && span.begin < cells_.back().end)
      cells_.back().end = std::max(cells_.back().end, span.end);
    else
      cells_.push_back({span.begin, span.end, 0, 0});
  }
}

void Layout::find_objects() {
  is_destroyed_.assign(objects(), false);
  for (NodeId id = 1; id < knowledge_.size(); ++id)
    if (const Node& node = knowledge_.node(id); !knowledge_.is_dead(id) && machine::is_destroy(node.op))
      is_destroyed_[object_numbers_.at(node.location)] = true;
  const auto& ranges = knowledge_.ranges();
  range_objects_.resize(ranges.size());
  for (size_t i = 1; i < ranges.size(); ++i)
    for (auto at = object_numbers_.lower_bound(ranges[i].begin);
         at != object_numbers_.end() && at->first < ranges[i].begin + ranges[i].size; ++at)
      if (ranges[i].block || is_destroyed_[at->second]) range_objects_[i].push_back(at->second);
}

std::vector<Layout::Buffer> Layout::buffers() const {
  if (!knowledge_.memory().buffers) return {};
  std::vector<Buffer> found(knowledge_.threads());
  // The most stores since the last draining operation, for each node; -1: not met yet.
  std::vector<i32> most(knowledge_.size(), -1);
  std::vector<NodeId> todo;
  auto reach = [&](NodeId id, i32 stores) {
    if (stores <= most[id]) return;
    most[id] = stores;
    todo.push_back(id);
  };
  for (NodeId id = 1; id < knowledge_.size(); ++id)
    if (!knowledge_.is_dead(id) && knowledge_.node(id).parent == kNoNode) reach(id, 0);
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    const Node& node = knowledge_.node(id);
    i32 after = most[id];
    if (node.state == Node::State::Known && knowledge_.is_buffered(node))
      after = std::min<i32>(after + 1, knowledge_.memory().room);
    else if (node.state == Node::State::Known && knowledge_.drains(node))
      after = 0;
    // One more for a barrier before the next store.
    found[node.thread].size = std::max(found[node.thread].size, static_cast<u32>(after ? after + 1 : 0));
    for (u32 at = node.first_edge; at; at = knowledge_.edge(at).next)
      reach(knowledge_.target(knowledge_.edge(at)), after);
  }
  return found;
}

u32 Layout::object_number(u64 key) const { return object_numbers_.at(key); }

bool Layout::still_fits() const {
  if (knowledge_.is_symbolic()) return knowledge_.version() == version_;  // what is alive may have changed
  if (knowledge_.threads() != threads_ || knowledge_.ranges().size() != range_cells_.size()) return false;
  const std::vector<Buffer> now = buffers();
  for (size_t thread = 0; thread < now.size(); ++thread)
    if (now[thread].size > buffers_[thread].size) return false;
  for (NodeId id = 1; id < knowledge_.size(); ++id) {
    if (knowledge_.is_dead(id)) continue;
    const Node& node = knowledge_.node(id);
    const machine::ObjectKeys keys = object_keys(node);
    if (!covers(node) || (keys.first && !object_numbers_.contains(keys.first)) ||
        (keys.second && !object_numbers_.contains(keys.second)))
      return false;
    if (machine::is_destroy(node.op) && !is_destroyed_[object_numbers_.at(node.location)]) return false;
    if (node.op == Op::Free)
      for (u32 cell = range_cells_[node.range].first; cell < range_cells_[node.range].second; ++cell)
        if (const ByteRange& bytes = knowledge_.ranges()[node.range];
            !cells_[cell].freed_offset ||
            (!cells_[cell].freed_in_parts &&
             (cells_[cell].begin < bytes.begin || cells_[cell].end > bytes.begin + bytes.size)))
          return false;
  }
  return true;
}

std::vector<u8> Layout::initial() const {
  std::vector<u8> state(bytes_, 0);
  const u32 root = knowledge_.main_root();
  std::memcpy(state.data(), &root, 4);
  for (const auto& [key, number] : object_numbers_) {
    machine::Object object;
    auto found = knowledge_.initial_objects().find(key);
    if (found != knowledge_.initial_objects().end()) object = found->second;
    std::memcpy(state.data() + object_offset(number), &object, sizeof object);
  }
  for (const Cell& cell : cells_)
    for (u64 a = cell.begin; a < cell.end; ++a) state[cell.offset + (a - cell.begin)] = knowledge_.initial_byte(a);
  return state;
}

}  // namespace plait
