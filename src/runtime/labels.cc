#include "runtime/labels.h"

#include "runtime/access.h"
#include "runtime/process.h"
#include "runtime/scheduling.h"

extern "C" {
extern const void* const __start_plait_followed[] __attribute__((weak));
extern const void* const __stop_plait_followed[] __attribute__((weak));
}

namespace plait::runtime {

LabelState label_state;

namespace {

constexpr u32 kMostLabelled = 1u << 16;  // bytes
constexpr u32 kFilter = 4096;

struct LabelledByte {
  u64 address;
  u64 label;  // of a value that the byte is part of; 0: none any more
  u64 index;  // which byte of it
};
LabelledByte bytes[kMostLabelled];
u32 used[kMostLabelled / 2];  // slots, in the order in which they were taken
u32 used_bytes = 0;
u8 filter[kFilter];  // by cache line: may hold labelled bytes

u64 line_of(u64 address) { return (address >> 6) % kFilter; }

LabelledByte* find_byte(u64 address) {
  if (!filter[line_of(address)]) return nullptr;
  for (u64 at = labels::mixed(1, address);; ++at) {
    LabelledByte& slot = bytes[at % kMostLabelled];
    if (slot.address == address) return slot.label ? &slot : nullptr;
    if (!slot.address) return nullptr;
  }
}

void label_byte(u64 address, u64 label, u64 index) {
  for (u64 at = labels::mixed(1, address);; ++at) {
    LabelledByte& slot = bytes[at % kMostLabelled];
    if (!slot.address) {
      if (used_bytes == kMostLabelled / 2) {
        label_state.tables->overflow = 1;
        return;
      }
      used[used_bytes++] = static_cast<u32>(at % kMostLabelled);
      slot.address = address;
    }
    if (slot.address != address) continue;
    label_state.labelled += !slot.label;
    slot.label = label;
    slot.index = index;
    filter[line_of(address)] = 1;
    return;
  }
}

void clear_byte(u64 address) {
  LabelledByte* slot = find_byte(address);
  if (!slot) return;
  slot->label = 0;
  --label_state.labelled;
}

u64 hash_of(const LabelNode& node) {
  u64 hash = labels::mixed(static_cast<u64>(node.op) | node.width << 8 | static_cast<u64>(node.from_width) << 16, 7);
  for (int i = 0; i < 3; ++i) hash = labels::mixed(labels::mixed(hash, node.operand[i]), node.constant[i]);
  return hash ? hash : 1;
}

bool same(const LabelNode& a, const LabelNode& b) {
  bool equal = a.op == b.op && a.width == b.width && a.from_width == b.from_width;
  for (int i = 0; i < 3; ++i) equal &= a.operand[i] == b.operand[i] && a.constant[i] == b.constant[i];
  return equal && a.value == b.value;
}

/// Everybody who fills a slot writes the same, so a process that dies in between does no harm.
template <class T>
T* take_slot(T* slots, u32 capacity, u32* list, u32& count, u64 T::* key, u64 wanted, bool& added) {
  for (u64 at = wanted, tries = 0; tries < capacity; ++at, ++tries) {
    T& slot = slots[at % capacity];
    u64 found = __atomic_load_n(&(slot.*key), __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_load_n(&count, __ATOMIC_RELAXED) < capacity / 2)
      __atomic_compare_exchange_n(&(slot.*key), &found, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    else if (found == 0)
      break;
    if (found != 0 && found != wanted) continue;
    added = !__atomic_load_n(&slot.ready, __ATOMIC_ACQUIRE);
    if (added && list) {
      const u32 place = __atomic_fetch_add(&count, 1, __ATOMIC_ACQ_REL);
      if (place < capacity) __atomic_store_n(&list[place], static_cast<u32>(at % capacity) + 1, __ATOMIC_RELEASE);
    }
    return &slot;
  }
  label_state.tables->overflow = 1;
  return nullptr;
}

u64 constant_or_zero(u64 value, u64 label) { return label ? 0 : value; }

}  // namespace

void forget_labels() {
  LabelTables& tables = labels_of(*process.session);
  label_state.reads = false;
  label_state.tables = tables.enabled && +__start_plait_followed != +__stop_plait_followed ? &tables : nullptr;
  for (u32 i = 0; i < used_bytes; ++i) bytes[used[i]] = {};
  if (used_bytes) __builtin_memset(filter, 0, sizeof filter);
  used_bytes = 0;
  label_state.labelled = 0;
}

void follow_reads() {
  label_state.reads = +__start_plait_followed != +__stop_plait_followed;
  if (label_state.reads) label_state.tables = &labels_of(*process.session);
}

bool has_performed(Op op, u64 address) {
  if (!run.active || run.event_count == 0) return false;
  const Event& last = run.events[run.event_count - 1];
  return last.op == op && last.location == address && last.thread == run.current->id &&
         last.position == run.current->position;
}

void note_label(u8 kind, u64 label, u32 site) {
  if (!label || !run.active || run.init_phase) return;
  Event& event = next_event();
  fill(event, *run.current, {.op = Op::Label, .detail = kind, .site = site, .location = label}, run.current->position);
}

u64 read_symbol(u64 size, u64 value) {
  LabelNode node{};
  node.op = LabelOp::Read;
  node.width = node.from_width = static_cast<u8>(8 * size);
  node.constant[0] = static_cast<u64>(run.current->id) << 32 | run.current->position;
  node.constant[1] = node.value = value;
  const u64 label = label_of(node);
  note_label(label_note::kResult, label, 0);
  return label;
}

const LabelNode* find_label(u64 label) {
  for (u64 at = label, tries = 0; tries < kLabelNodes; ++at, ++tries) {
    const LabelNode& node = label_state.tables->node[at % kLabelNodes];
    if (node.label == label) return &node;
    if (!node.label) return nullptr;
  }
  return nullptr;
}

u64 label_of(LabelNode node) {
  LabelTables& tables = *label_state.tables;
  node.label = hash_of(node);
  bool added = false;
  LabelNode* slot =
      take_slot(tables.node, kLabelNodes, tables.node_slot, tables.node_count, &LabelNode::label, node.label, added);
  if (!slot) return 0;
  if (!added) {
    if (!same(*slot, node)) tables.collision = 1;
    return node.label;
  }
  slot->op = node.op;
  slot->width = node.width;
  slot->from_width = node.from_width;
  for (int i = 0; i < 3; ++i) {
    slot->operand[i] = node.operand[i];
    slot->constant[i] = node.constant[i];
  }
  slot->value = node.value;
  __atomic_store_n(&slot->ready, u8{1}, __ATOMIC_RELEASE);
  return node.label;
}

u64 make_binary(LabelOp op, unsigned width, u64 a, u64 label_a, u64 b, u64 label_b) {
  if (!(label_a | label_b)) return 0;
  LabelNode node{};
  node.op = op;
  node.width = labels::is_comparison(op) ? 1 : static_cast<u8>(width);
  node.from_width = static_cast<u8>(width);
  node.operand[0] = label_a;
  node.operand[1] = label_b;
  node.constant[0] = constant_or_zero(a, label_a);
  node.constant[1] = constant_or_zero(b, label_b);
  node.value = labels::evaluate(op, node.width, width, a, b, 0);
  return label_of(node);
}

u64 make_cast(LabelOp op, unsigned from, unsigned to, u64 value, u64 label) {
  if (!label) return 0;
  const LabelNode* inner = find_label(label);
  if (op == LabelOp::Trunc && inner && (inner->op == LabelOp::ZExt || inner->op == LabelOp::SExt) &&
      inner->from_width == to)
    return inner->operand[0];
  LabelNode node{};
  node.op = op;
  node.width = static_cast<u8>(to);
  node.from_width = static_cast<u8>(from);
  node.operand[0] = label;
  node.value = labels::evaluate(op, to, from, value, 0, 0);
  return label_of(node);
}

u64 make_extract(unsigned from, unsigned shift, unsigned width, u64 value, u64 label) {
  if (!label) return 0;
  LabelNode node{};
  node.op = LabelOp::Extract;
  node.width = static_cast<u8>(width);
  node.from_width = static_cast<u8>(from);
  node.operand[0] = label;
  node.constant[1] = shift;
  node.value = labels::evaluate(LabelOp::Extract, width, from, value, shift, 0);
  return label_of(node);
}

void decide(u64 label, u32 how, u32 site) {
  if (!label) return;
  if (label_state.reads)
    return note_label(how == decided::kBranch ? label_note::kBranch : label_note::kFixed, label, site);
  auto* node = const_cast<LabelNode*>(find_label(label));
  if (!node) return;
  if (node->decided & how) return;
  u32 nowhere = 0;
  __atomic_compare_exchange_n(&node->site, &nowhere, site, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  __atomic_fetch_or(&node->decided, how, __ATOMIC_RELEASE);
}

namespace {

/// Adds a part of a value above what is there.
void append(u64& label, u64& value, unsigned& width, u64 part, u64 part_label, unsigned part_width) {
  if (width == 0) {
    label = part_label;
    value = part;
  } else {
    if (label | part_label) {
      LabelNode node{};
      node.op = LabelOp::Concat;
      node.width = static_cast<u8>(width + part_width);
      node.from_width = static_cast<u8>(width);
      node.operand[0] = label;
      node.operand[1] = part_label;
      node.constant[0] = constant_or_zero(value, label);
      node.constant[1] = constant_or_zero(part, part_label);
      node.value = labels::evaluate(LabelOp::Concat, node.width, width, value, part, 0);
      label = label_of(node);
    }
    value |= part << width;
  }
  width += part_width;
}

struct Source {
  u64 label = 0, index = 0;
};

/// Where a byte comes from: the thread's own buffer, or memory.
Source source_of(const Fiber* fiber, u64 address) {
  if (fiber)
    for (u32 i = fiber->buffer.count; i-- > 0;) {
      const BufferedStore& store = fiber->buffer.store[i];
      if (address - store.address < store.size) return {store.label, address - store.address};
    }
  const LabelledByte* byte = find_byte(address);
  return byte ? Source{byte->label, byte->index} : Source{};
}

/// The label of one byte with this value. What does not fit was changed by code that nobody follows: it depends on
/// nothing, for what such code is handed is fixed.
u64 byte_label(const Source& source, u8 value, const LabelNode*& node) {
  if (!source.label) return 0;
  if (!node || node->label != source.label) node = find_label(source.label);
  if (!node || static_cast<u8>(node->value >> (8 * source.index)) != value) return 0;
  return node->width == 8
             ? source.label
             : make_extract(node->width, static_cast<unsigned>(8 * source.index), 8, node->value, source.label);
}

u64 label_seen(const Fiber* fiber, u64 address, u64 size, u64 value) {
  // All of one value: that value's.
  const Source first = source_of(fiber, address);
  bool whole = first.label && first.index == 0;
  bool any = first.label;
  for (u64 i = 1; i < size; ++i) {
    const Source next = source_of(fiber, address + i);
    whole &= next.label == first.label && next.index == i;
    any |= next.label != 0;
  }
  if (!any) return 0;
  const LabelNode* node = first.label ? find_label(first.label) : nullptr;
  if (whole && node && node->width == 8 * size) return node->value == value ? first.label : 0;
  u64 label = 0, made = 0;
  unsigned width = 0;
  for (u64 i = 0; i < size; ++i) {
    const u8 byte = static_cast<u8>(value >> (8 * i));
    append(label, made, width, byte, byte_label(source_of(fiber, address + i), byte, node), 8);
  }
  return label;
}

bool is_shared(u64 address, u64 size) {
  if (run.init_phase) return false;
  if (run.everything) return true;
  for (u64 i = 0; i < size; ++i)
    if (*code_of(address + i) == kShared) return true;
  return false;
}

void note_shared_value(u64 address, u64 size, u64 value, u64 label) {
  LabelTables& tables = *label_state.tables;
  u64 key = labels::mixed(labels::mixed(labels::mixed(labels::mixed(11, address), size), value), label);
  if (!key) key = 1;
  static u64 known[4096];  // of this process, in this round
  static u32 round = 0;
  if (round != tables.round) __builtin_memset(known, 0, sizeof known);
  round = tables.round;
  if (known[key % 4096] == key) return;
  bool added = false;
  SharedValue* slot =
      take_slot(tables.shared, kSharedValues, tables.shared_slot, tables.shared_count, &SharedValue::key, key, added);
  if (!slot) return;
  known[key % 4096] = key;
  if (!added) return;
  slot->address = address;
  slot->size = static_cast<u32>(size);
  slot->value = value;
  slot->label = label;
  __atomic_store_n(&slot->ready, 1u, __ATOMIC_RELEASE);
}

}  // namespace

u64 memory_label(u64 address, u64 size, u64 value) {
  if (label_state.reads && has_performed(Op::Load, address)) return read_symbol(size, value);
  if (!run.active || (!label_state.labelled && !run.current->buffer.count)) return 0;
  return label_seen(run.memory.buffers ? run.current : nullptr, address, size, value);
}

void set_memory_label(u64 address, u64 size, u64 value, u64 label) {
  if (!run.active) return;
  if (label_state.reads) {
    if (has_performed(Op::Store, address)) return note_label(label_note::kOperand, label, 0);
  } else if (is_shared(address, size))
    note_shared_value(address, size, value, label);
  StoreBuffer& buffer = run.current->buffer;
  if (buffer.count) {
    // It has just been put there, or it went to memory at once.
    BufferedStore& last = buffer.store[buffer.count - 1];
    if (last.position == run.current->position && last.address == address && last.size == size) {
      last.label = label;
      return;
    }
  }
  flush_label(address, size, label);
}

u64 private_label(u64 address, u64 size, u64 value) {
  return label_state.labelled ? label_seen(nullptr, address, size, value) : 0;
}

void flush_label(u64 address, u64 size, u64 label) {
  if (!label && !label_state.labelled) return;
  for (u64 i = 0; i < size; ++i)
    if (label)
      label_byte(address + i, label, i);
    else
      clear_byte(address + i);
}

void clear_labels(u64 address, u64 size) {
  if (!label_state.labelled) return;
  for (u64 i = 0; i < size; ++i) clear_byte(address + i);
}

void move_labels(u64 to, u64 from, u64 size) {
  if (!label_state.labelled || to == from) return;
  for (u64 n = 0; n < size; ++n) {
    const u64 i = to > from ? size - 1 - n : n;
    const LabelledByte* byte = find_byte(from + i);
    if (byte)
      label_byte(to + i, byte->label, byte->index);
    else
      clear_byte(to + i);
  }
}

void fix_memory(u64 address, u64 size, u32 site) {
  const Fiber* fiber = run.memory.buffers && run.active ? run.current : nullptr;
  u64 last = 0;
  for (u64 i = 0; i < size; ++i) {
    const Source source = source_of(fiber, address + i);
    const LabelNode* node = source.label ? find_label(source.label) : nullptr;
    if (!node || (last == source.label && label_state.reads)) continue;
    last = source.label;
    if (label_state.reads) {
      decide(last, decided::kFixed, site);
      continue;
    }
    decide(node->width == 8
               ? source.label
               : make_extract(node->width, static_cast<unsigned>(8 * source.index), 8, node->value, source.label),
           decided::kFixed, site);
  }
}

void fix_all_memory(u32 site) {
  u64 last = 0;
  if (label_state.labelled)
    for (u32 i = 0; i < used_bytes; ++i) {
      const u64 label = bytes[used[i]].label;
      if (label != last) decide(label, decided::kFixed, site);
      last = label;
    }
  if (run.buffers)
    for (unsigned t = 0; t < kMaxThreads; ++t)
      for (u32 i = 0; i < fibers[t].buffer.count; ++i) decide(fibers[t].buffer.store[i].label, decided::kFixed, site);
}

void note_shared_memory(u64 address, u64 size) {
  if (label_state.reads) return;
  if (size > 8) {
    note_shared_memory(address, 8);
    note_shared_memory(address + 8, size - 8);
    return;
  }
  const u64 value = run.memory.buffers ? static_cast<u64>(global_load(address, static_cast<u32>(size))) : [&] {
    u64 plain = 0;
    __builtin_memcpy(&plain, reinterpret_cast<const void*>(address), size);
    return plain;
  }();
  note_shared_value(address, size, value, label_state.labelled ? label_seen(nullptr, address, size, value) : 0);
}

namespace {

/// May the thread, and no other, go on according to what is there? Rather too many than too few: a thread-local
/// variable that no hook has seen counts for all.
bool is_own_byte(const Fiber& fiber, u64 address, u64 stack) {
  const u8 code = *code_of(address);
  if (code == kShared) return false;
  const bool own_slice = in_zone(address) && slice_of(address) == fiber.id;
  if (own_slice) return in_heap(address) || address >= stack;
  if (code == write_code(fiber.id) || code == read_code(fiber.id)) return true;
  return !in_zone(address) && (code == kUntouched || code == kFresh);
}

}  // namespace

u64 digest_labels(u64 stack) {
  u64 sum = 0;
  const Fiber& fiber = *run.current;
  for (u32 i = 0; i < used_bytes; ++i) {
    const LabelledByte& byte = bytes[used[i]];
    if (!byte.label || !is_own_byte(fiber, byte.address, stack)) continue;
    sum += labels::mixed(labels::mixed(byte.address, byte.label), byte.index);
  }
  return sum;
}

}  // namespace plait::runtime
