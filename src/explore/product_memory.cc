// The product's memory step: store buffers, and what loads, stores and frees do to the bytes of a state.
#include <cstring>

#include "explore/product.h"
#include "machine/memory_step.h"

namespace plait {

/// The stores of a thread's buffer, as the memory step sees them.
class Product::Buffer {
 public:
  Buffer(const Product& product, const u8* state, u32 thread) : product_(product) {
    const u32 room = product.layout_.buffer_size(thread);
    if (room) entries_ = state + product.layout_.buffer_offset(thread);
    while (size_ < room && (entry(size_) & ~kBarrier)) ++size_;
  }
  u32 size() const { return size_; }
  u32 entry(u32 place) const { return read_u32(entries_ + 4 * place); }
  machine::Waiting operator[](u32 place) const { return product_.waiting(entry(place)); }

 private:
  const Product& product_;
  const u8* entries_ = nullptr;
  u32 size_ = 0;
};

machine::Waiting Product::waiting(u32 entry) const {
  const Node& store = store_of(entry);
  const u128 value = store.size == 16 ? knowledge_.wide(store.operand) : store.operand;
  return {store.location, value, store.size, (entry & kBarrier) != 0};
}

u32 Product::buffered(const u8* state, u32 thread, u32 place) const {
  return place < layout_.buffer_size(thread) ? read_u32(state + layout_.buffer_offset(thread) + 4 * place) : 0;
}

void Product::set_buffered(u8* state, u32 thread, u32 place, u32 entry) const {
  std::memcpy(state + layout_.buffer_offset(thread) + 4 * place, &entry, 4);
}

u32 Product::buffer_length(const u8* state, u32 thread) const {
  u32 length = 0;
  while (buffered(state, thread, length)) ++length;
  return length;
}

ThreadSet Product::buffering(const u8* state) const {
  ThreadSet set = 0;
  for (u32 t = 0; t < layout_.threads(); ++t)
    if (buffered(state, t, 0)) set |= bit(static_cast<ThreadId>(t));
  return set;
}

u32 Product::stores(const u8* state, ThreadId thread, NodeId* to) const {
  const Buffer buffer(*this, state, thread);
  for (u32 i = 0; i < buffer.size(); ++i) to[i] = knowledge_.canonical(buffer.entry(i) & ~kBarrier);
  return buffer.size();
}

u64 Product::flushable(const u8* state, ThreadId thread) const {
  return machine::flushable(knowledge_.memory(), Buffer(*this, state, thread));
}

/// A store that goes to the buffer, or would if there were room. To dead memory it does not: it fails, like one that
/// does not wait.
bool Product::waits_for_room(const u8* state, const Node& node) const {
  return knowledge_.is_buffered(node) && !(layout_.covers(node) && touches_freed(state, node.range));
}

bool Product::waits_for_buffer(const u8* state, ThreadId thread) const {
  if (!buffered(state, thread, 0)) return false;
  const Node& node = knowledge_.node(cursor(state, thread));
  return knowledge_.drains(node) || waits_for_room(state, node);
}

bool Product::push(u8* state, ThreadId thread, NodeId id) {
  const Node& node = knowledge_.node(id);
  const machine::MemoryRules& memory = knowledge_.memory();
  u32 length = buffer_length(state, thread);
  bool barrier = memory.is_barrier(node.op, node.order) && length != 0;
  const bool marked = length != 0 && buffered(state, thread, length - 1) == kBarrier;
  if (length - marked == memory.room || length - marked == layout_.buffer_size(thread)) return false;
  if (marked) {
    --length;
    barrier = true;
  }
  const bool known = futures_ && id < futures_->size();
  u32 entry = (known ? futures_->store_representative(id) : id) | (barrier ? kBarrier : 0);
  // Where the order of stores to different places does not matter, they are sorted between two barriers.
  u32 place = length;
  if (!memory.in_order && !barrier) {
    const u32 key = layout_.offset_of(node.range);
    while (place > 0) {
      const u32 before = buffered(state, thread, place - 1);
      if (machine::touches(waiting(before), node.location, node.size) ||
          layout_.offset_of(store_of(before).range) <= key)
        break;
      set_buffered(state, thread, place, before & ~kBarrier);
      --place;
      if (!(before & kBarrier)) continue;
      entry |= kBarrier;
      break;
    }
  }
  set_buffered(state, thread, place, entry);
  if (positions_) waiting_[thread].insert(waiting_[thread].begin() + place, positions_[thread]);
  return true;
}

void Product::put_barrier(u8* state, ThreadId thread) const {
  const u32 length = buffer_length(state, thread);
  if (length && buffered(state, thread, length - 1) != kBarrier) set_buffered(state, thread, length, kBarrier);
}

StepResult Product::flush(u8* state, ThreadId thread, u32 place) {
  StepResult result;
  const u32 entry = buffered(state, thread, place);
  result.node = knowledge_.canonical(entry & ~kBarrier);
  const Node node = knowledge_.node(result.node);
  if (touches_freed(state, node.range)) {
    result.kind = StepKind::Lifetime;
    return result;
  }
  store(state, node, value_of(node, node.operand));
  const u32 length = buffer_length(state, thread);
  for (u32 i = place; i < length; ++i)
    set_buffered(state, thread, i, i + 1 < length ? buffered(state, thread, i + 1) : 0);
  if (positions_) waiting_[thread].erase(waiting_[thread].begin() + place);
  if (const u32 first = buffered(state, thread, 0); first & kBarrier) set_buffered(state, thread, 0, first & ~kBarrier);
  run_free_steps(state, thread, result);
  settle_conditions(state);
  return result;
}

u128 Product::load(const u8* state, const Node& node) const {
  u128 value = 0;
  std::memcpy(&value, state + layout_.offset_of(node.range), node.size);
  if (!buffered(state, node.thread, 0)) return value;
  return machine::load(Buffer(*this, state, node.thread), node.location, node.size, value);
}

std::optional<u8> Product::own_byte(const u8* state, u32 thread, u64 address) const {
  const Buffer buffer(*this, state, thread);
  if (!machine::is_forwarded(buffer, address, 1)) return std::nullopt;
  return static_cast<u8>(machine::load(buffer, address, 1, 0));
}

u128 Product::value_of(const Node& node, u64 number) const {
  return node.size == 16 ? knowledge_.wide(number) : number;
}

void Product::store(u8* state, const Node& node, u128 value) const {
  for (const u32 number : layout_.objects_in(node.range))
    if (machine::Object& stored = object(state, number); stored.life == machine::life::kDestroyed) stored = {};
  std::memcpy(state + layout_.offset_of(node.range), &value, node.size);
  set_constant(state, layout_.offset_of(node.range), node.size);
}

bool Product::touches_freed(const u8* state, u32 range) const {
  bool freed = false;
  layout_.for_each_flag(range, [&](u32 flag) { freed |= state[flag] != 0; });
  return freed;
}

void Product::begin_block(u8* state, const Node& node) const {
  layout_.for_each_flag(node.range, [&](u32 flag) { state[flag] = 0; });
  for (const u32 number : layout_.objects_in(node.range)) object(state, number) = {};
  if (node.detail == machine::kLocalVariable) return;  // it holds what was there before
  const auto [first, last] = layout_.cells_of(node.range);
  for (u32 i = first; i < last; ++i) {
    const Cell& cell = layout_.cells()[i];
    std::memset(state + cell.offset, static_cast<int>(node.extra), cell.end - cell.begin);
    set_constant(state, cell.offset, static_cast<u32>(cell.end - cell.begin));
  }
}

bool Product::perform_memory(u8* state, const Node& node, StepResult& result) {
  if (node.op == Op::Fence) return true;
  const bool ends_again = node.op == Op::Free && node.detail == machine::kLocalVariable;  // harmless
  if (!ends_again && touches_freed(state, node.range)) {
    result.kind = StepKind::Lifetime;
    return false;
  }
  if (node.op == Op::Free) {
    layout_.for_each_flag(node.range, [&](u32 flag) { state[flag] = 1; });
    for (const u32 number : layout_.objects_in(node.range)) object(state, number).life |= machine::life::kFreed;
    return true;
  }
  if (conditions_ && node.size <= 8) return perform_on_inputs(state, node, result);
  if (has_terms(state, layout_.offset_of(node.range), node.size)) give_up("16 bytes at once depend on inputs");
  u128 old = 0, left;
  if (machine::is_read(node.op)) {
    old = load(state, node);
    result.value = node.size == 16 ? knowledge_.find_wide(old) : static_cast<u64>(old);
    result.wide = result.value == kNoWide && node.size == 16 ? old : 0;
  }
  const u128 operand =
      node.operand_term ? value_at(state, result.node, node.operand_term).value : value_of(node, node.operand);
  result.expected = node.extra_term ? value_at(state, result.node, node.extra_term).value : node.extra;
  const u128 expected = node.op == Op::Cas ? value_of(node, result.expected) : 0;
  if (machine::written(node, old, operand, expected, left)) store(state, node, left);
  return true;
}

}  // namespace plait
