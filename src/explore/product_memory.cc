// The product's memory step: store buffers, and what loads, stores and frees do to the bytes of a state.
#include <cstring>

#include "explore/product.h"
#include "machine/buffers.h"
#include "machine/value.h"

namespace plait {
namespace {

template <class T>
u64 apply(RmwKind kind, u64 old, u64 operand) {
  return machine::rmw<T>(kind, static_cast<T>(old), static_cast<T>(operand));
}

}  // namespace

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

bool Product::overlap(u32 entry, u32 other) const {
  if ((entry & ~kBarrier) == 0 || (other & ~kBarrier) == 0) return false;
  const Node &a = store_of(entry), &b = store_of(other);
  return a.location < b.location + b.size && b.location < a.location + a.size;
}

ThreadSet Product::buffering(const u8* state) const {
  ThreadSet set = 0;
  for (u32 t = 0; t < layout_.threads(); ++t)
    if (buffered(state, t, 0)) set |= bit(static_cast<ThreadId>(t));
  return set;
}

u32 Product::stores(const u8* state, ThreadId thread, NodeId* to) const {
  u32 count = 0;
  for (; const u32 entry = buffered(state, thread, count); ++count) {
    if (entry == kBarrier) break;
    to[count] = knowledge_.canonical(entry & ~kBarrier);
  }
  return count;
}

u64 Product::flushable(const u8* state, ThreadId thread) const {
  u64 set = 0;
  for (u32 i = 0; const u32 entry = buffered(state, thread, i); ++i) {
    if (entry == kBarrier) break;
    const bool can = machine::can_flush(
        knowledge_.memory_model(), i, [&](u32 older) { return overlap(buffered(state, thread, older), entry); },
        [&](u32 at) { return (buffered(state, thread, at) & kBarrier) != 0; });
    if (can) set |= u64{1} << i;
  }
  return set;
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
  const MemoryModel model = knowledge_.memory_model();
  u32 length = buffer_length(state, thread);
  bool barrier = machine::is_barrier(model, node.op, node.order) && length != 0;
  const bool marked = length != 0 && buffered(state, thread, length - 1) == kBarrier;
  if (length - marked == machine::kBufferedStores || length - marked == layout_.buffer_size(thread)) return false;
  if (marked) {
    --length;
    barrier = true;
  }
  const bool known = futures_ && id < futures_->size();
  u32 entry = (known ? futures_->store_representative(id) : id) | (barrier ? kBarrier : 0);
  // Under PSO the order of stores to different places does not matter: between two barriers they are sorted.
  u32 place = length;
  if (model == MemoryModel::Pso && !barrier) {
    const u32 key = layout_.offset_of(node.range);
    while (place > 0) {
      const u32 before = buffered(state, thread, place - 1);
      if (overlap(before, entry) || layout_.offset_of(store_of(before).range) <= key) break;
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
  store(state, node, node.operand);
  const u32 length = buffer_length(state, thread);
  for (u32 i = place; i < length; ++i)
    set_buffered(state, thread, i, i + 1 < length ? buffered(state, thread, i + 1) : 0);
  if (positions_) waiting_[thread].erase(waiting_[thread].begin() + place);
  if (const u32 first = buffered(state, thread, 0); first & kBarrier) set_buffered(state, thread, 0, first & ~kBarrier);
  run_free_steps(state, thread, result);
  return result;
}

u128 Product::load_bytes(const u8* state, const Node& node) const {
  u8 bytes[16] = {};
  std::memcpy(bytes, state + layout_.offset_of(node.range), node.size);
  for (u32 i = 0; const u32 entry = buffered(state, node.thread, i); ++i) {
    if (entry == kBarrier) break;
    const Node& store = store_of(entry);
    const u128 value = store.size == 16 ? knowledge_.wide(store.operand) : store.operand;
    for (u64 k = 0; k < store.size; ++k)
      if (const u64 place = store.location + k - node.location; place < node.size)
        bytes[place] = static_cast<u8>(value >> (8 * k));
  }
  u128 value;
  std::memcpy(&value, bytes, 16);
  return value;
}

u64 Product::load(const u8* state, const Node& node) const {
  const u8* at = state + layout_.offset_of(node.range);
  if (buffered(state, node.thread, 0)) {
    const u128 value = load_bytes(state, node);
    return node.size == 16 ? knowledge_.intern_wide(value) : static_cast<u64>(value);
  }
  if (node.size == 16) {
    u128 wide;
    std::memcpy(&wide, at, 16);
    return knowledge_.intern_wide(wide);
  }
  u64 value = 0;
  std::memcpy(&value, at, node.size);
  return value;
}

void Product::store(u8* state, const Node& node, u64 value) const {
  for (const u32 number : layout_.objects_in(node.range))
    if (machine::Object& stored = object(state, number); stored.life == machine::life::kDestroyed) stored = {};
  u8* at = state + layout_.offset_of(node.range);
  if (node.size == 16) {
    const u128 wide = knowledge_.wide(value);
    std::memcpy(at, &wide, 16);
    return;
  }
  std::memcpy(at, &value, node.size);
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
  }
}

bool Product::perform_memory(u8* state, const Node& node, StepResult& result) {
  if (node.op == Op::Fence) return true;
  const bool ends_again = node.op == Op::Free && node.detail == machine::kLocalVariable;  // harmless
  if (!ends_again && touches_freed(state, node.range)) {
    result.kind = StepKind::Lifetime;
    return false;
  }
  switch (node.op) {
    case Op::Load: result.value = load(state, node); break;
    case Op::Store: store(state, node, node.operand); break;
    case Op::Cas:
      result.value = load(state, node);
      if (result.value == node.extra) store(state, node, node.operand);
      break;
    case Op::Rmw: {
      const auto kind = static_cast<RmwKind>(node.detail);
      const u64 old = result.value = load(state, node);
      switch (node.size) {
        case 1: store(state, node, apply<u8>(kind, old, node.operand)); break;
        case 2: store(state, node, apply<u16>(kind, old, node.operand)); break;
        case 4: store(state, node, apply<u32>(kind, old, node.operand)); break;
        case 8: store(state, node, apply<u64>(kind, old, node.operand)); break;
        default:
          store(state, node,
                knowledge_.intern_wide(machine::rmw<u128>(kind, knowledge_.wide(old), knowledge_.wide(node.operand))));
      }
      break;
    }
    case Op::Free: {
      layout_.for_each_flag(node.range, [&](u32 flag) { state[flag] = 1; });
      for (const u32 number : layout_.objects_in(node.range)) object(state, number).life |= machine::life::kFreed;
      break;
    }
    default: break;
  }
  return true;
}

}  // namespace plait
