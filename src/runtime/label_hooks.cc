// What compiled code that follows inputs calls (instrument/labels.h): which expressions its values are.
#include "runtime/access.h"
#include "runtime/labels.h"
#include "runtime/process.h"

extern "C" {
extern const void* const __start_plait_followed[] __attribute__((weak, visibility("hidden")));
extern const void* const __stop_plait_followed[] __attribute__((weak, visibility("hidden")));
extern const char __start_plait_rt_text[];
extern const char __stop_plait_rt_text[];

// How labels of arguments and results travel: written right before a call or a return, read right after it.
const void* __plait_label_target =
    nullptr;  // who is being called by code that follows inputs; null: somebody else calls
plait::u64 __plait_label_arguments[plait::kLabelArguments];
const void* __plait_label_returned = nullptr;  // who has returned
plait::u64 __plait_label_result = 0;
}

namespace plait::runtime {
namespace {

constexpr u32 kFunctions = 1u << 16;
const void* followed[kFunctions];  // a hash table
bool functions_known = false, too_many = false;

u64 place_of(const void* function) { return labels::mixed(3, reinterpret_cast<u64>(function)); }

void find_functions() {
  functions_known = true;
  u32 count = 0;
  for (const void* const* f = __start_plait_followed; f < __stop_plait_followed; ++f) {
    if (++count > kFunctions / 2) {
      too_many = true;
      return;
    }
    u64 at = place_of(*f);
    while (followed[at % kFunctions] && followed[at % kFunctions] != *f) ++at;
    followed[at % kFunctions] = *f;
  }
}

bool in_runtime(const void* function) {
  const auto* address = static_cast<const char*>(function);
  return address >= __start_plait_rt_text && address < __stop_plait_rt_text;
}

/// The runtime calls; nothing is handed over.
const char by_runtime = 0;
enum Caller : int { kUnknown = 0, kFollowed = 1, kRuntime = 2 };

void fix_arguments(u32 site) {
  for (u64& label : __plait_label_arguments) {
    decide(label, decided::kFixed, site);
    label = 0;
  }
}

/// The label, if it is one of a value that looks like this; else it is somebody else's, which must not get lost.
u64 fitting(u64 label, int width, u64 value) {
  if (!label) return 0;
  const LabelNode* node = find_label(label);
  if (node && node->width == width && node->value == value) return label;
  decide(label, decided::kFixed, 0);
  return 0;
}

LabelOp rmw_op(RmwKind kind) {
  switch (kind) {
    case RmwKind::Add: return LabelOp::Add;
    case RmwKind::Sub: return LabelOp::Sub;
    case RmwKind::And: return LabelOp::And;
    case RmwKind::Or: return LabelOp::Or;
    case RmwKind::Xor: return LabelOp::Xor;
    default: return LabelOp::None;
  }
}

u64 memory_value(u64 address, u64 size) {
  if (run.memory.buffers) return static_cast<u64>(global_load(address, static_cast<u32>(size)));
  u64 value = 0;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

}  // namespace

bool is_followed(const void* function) {
  if (!functions_known) find_functions();
  if (too_many) {
    for (const void* const* f = __start_plait_followed; f < __stop_plait_followed; ++f)
      if (*f == function) return true;
    return false;
  }
  for (u64 at = place_of(function);; ++at) {
    const void* found = followed[at % kFunctions];
    if (!found || found == function) return found != nullptr;
  }
}

void announce_call(const void*) {
  if (!follows_inputs()) return;
  fix_arguments(0);
  __plait_label_target = &by_runtime;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

u64 __plait_label_load(const void* p, u64 size, u64 value) {
  if (!follows_inputs()) return 0;
  return memory_label(reinterpret_cast<u64>(p), size, value);
}
void __plait_label_store(void* p, u64 size, u64 value, u64 label) {
  if (follows_inputs()) set_memory_label(reinterpret_cast<u64>(p), size, value, label);
}
void __plait_label_moved(void* to, const void* from, u64 size) {
  if (has_labels()) move_labels(reinterpret_cast<u64>(to), reinterpret_cast<u64>(from), size);
}
void __plait_label_cleared(void* p, u64 size) {
  if (has_labels()) clear_labels(reinterpret_cast<u64>(p), size);
}
/// Memory whose values are needed.
void __plait_label_needed(const void* p, u64 size, const Site* site) {
  if (follows_inputs()) fix_memory(reinterpret_cast<u64>(p), size, site_offset(site));
}
/// An access of a size or kind that has no expressions has read and written there.
void __plait_label_wide(void* p, u64 size, const Site* site) {
  if (!follows_inputs()) return;
  const u64 address = reinterpret_cast<u64>(p);
  fix_memory(address, size, site_offset(site));
  for (u64 i = 0; i < size; i += 8) {
    const u64 part = size - i < 8 ? size - i : 8;
    set_memory_label(address + i, part, memory_value(address + i, part), 0);
  }
}

u64 __plait_label_binary(int op, int width, u64 a, u64 label_a, u64 b, u64 label_b) {
  if (!(label_a | label_b)) return 0;
  return make_binary(static_cast<LabelOp>(op), static_cast<unsigned>(width), a, label_a, b, label_b);
}
/// In front of a division or shift: it must go well for all inputs of the class.
void __plait_label_guard(int op, int width, u64 a, u64 label_a, u64 b, u64 label_b, const Site* site) {
  if (!(label_a | label_b)) return;
  const auto bits = static_cast<unsigned>(width);
  const u32 place = site_offset(site);
  const auto kind = static_cast<LabelOp>(op);
  if (kind == LabelOp::Shl || kind == LabelOp::LShr || kind == LabelOp::AShr) {
    decide(make_binary(LabelOp::Ult, bits, b, label_b, bits, 0), decided::kBranch, place);
    if (b < bits) return;
    // What a processor makes of larger numbers is its own business.
    decide(label_a, decided::kFixed, place);
    return decide(label_b, decided::kFixed, place);
  }
  decide(make_binary(LabelOp::Ne, bits, b, label_b, 0, 0), decided::kBranch, place);
  if (kind == LabelOp::UDiv || kind == LabelOp::URem) return;
  const u64 least = u64{1} << (bits - 1);
  const u64 overflow_a = make_binary(LabelOp::Eq, bits, a, label_a, least, 0);
  const u64 overflow_b = make_binary(LabelOp::Eq, bits, b, label_b, labels::mask(bits), 0);
  decide(make_binary(LabelOp::And, 1, a == least, overflow_a, b == labels::mask(bits), overflow_b), decided::kBranch,
         place);
}
u64 __plait_label_cast(int op, int from, int to, u64 value, u64 label) {
  return make_cast(static_cast<LabelOp>(op), static_cast<unsigned>(from), static_cast<unsigned>(to), value, label);
}
u64 __plait_label_select(int width, u64 condition, u64 label, u64 a, u64 label_a, u64 b, u64 label_b) {
  if (!label) return condition ? label_a : label_b;
  LabelNode node{};
  node.op = LabelOp::Select;
  node.width = node.from_width = static_cast<u8>(width);
  node.operand[0] = label;
  node.operand[1] = label_a;
  node.operand[2] = label_b;
  node.constant[1] = label_a ? 0 : a;
  node.constant[2] = label_b ? 0 : b;
  node.value = condition ? a : b;
  return label_of(node);
}
void __plait_label_branch(u64 label, const Site* site) {
  if (label) decide(label, decided::kBranch, site_offset(site));
}
void __plait_label_fix(u64 label, const Site* site) {
  if (label) decide(label, decided::kFixed, site_offset(site));
}
void __plait_label_switch(u64 label, int width, u64 value, const u64* cases, u64 count, const Site* site) {
  if (!label) return;
  const u32 place = site_offset(site);
  const auto is_case = [&](u64 i) {
    decide(make_binary(LabelOp::Eq, static_cast<unsigned>(width), value, label, cases[i], 0), decided::kBranch, place);
    return cases[i] == value;
  };
  if (!label_state.reads)
    for (u64 i = 0; i < count; ++i)
      if (cases[i] == value) return decide(label, decided::kBranch, place);
  for (u64 i = 0; i < count; ++i)
    if (is_case(i)) return;
}

/// It is printed, and nobody asks how long that gets.
void __plait_label_printed(u64 label, const Site* site) {
  if (label && process.session->options.outputs_visible) decide(label, decided::kFixed, site_offset(site));
}

/// After a read-modify-write: the label of what was there. kind: RmwKind, or -1.
u64 __plait_label_rmw(void* p, u64 size, u64 old, u64 operand, u64 label, int kind, const Site* site) {
  if (!follows_inputs()) return 0;
  const u64 address = reinterpret_cast<u64>(p);
  if (label_state.reads && has_performed(Op::Rmw, address)) {
    note_label(label_note::kOperand, label, 0);
    return read_symbol(size, old);
  }
  u64 before = memory_label(address, size, old);
  u64 now = 0;
  const auto width = static_cast<unsigned>(8 * size);
  const LabelOp op = kind < 0 ? LabelOp::None : rmw_op(static_cast<RmwKind>(kind));
  if (kind == static_cast<int>(RmwKind::Exchange)) {
    now = label;
  } else if (op != LabelOp::None) {
    now = make_binary(op, width, old, before, operand, label);
  } else {
    decide(before, decided::kFixed, site_offset(site));
    decide(label, decided::kFixed, site_offset(site));
    before = 0;
  }
  set_memory_label(address, size, memory_value(address, size), now);
  return before;
}
u64 __plait_label_cas(void* p, u64 size, u64 old, u64 expected, u64 expected_label, u64 desired, u64 desired_label,
                      const Site* site) {
  if (!follows_inputs()) return 0;
  const u64 address = reinterpret_cast<u64>(p);
  const auto width = static_cast<unsigned>(8 * size);
  const bool is_read = label_state.reads && has_performed(Op::Cas, address);
  if (is_read) {
    note_label(label_note::kOperand, desired_label, 0);
    note_label(label_note::kExpected, expected_label, 0);
  }
  const u64 before = is_read ? read_symbol(size, old) : memory_label(address, size, old);
  decide(make_binary(LabelOp::Eq, width, old, before, expected, expected_label), decided::kBranch, site_offset(site));
  if (old == expected && !is_read) set_memory_label(address, size, desired, desired_label);
  return before;
}

/// In front of a call. `known`: plait::LabelCall.
void __plait_label_call(const void* target, int known, const Site* site) {
  if (!follows_inputs()) return;
  if (known == static_cast<int>(LabelCall::Followed) || is_followed(target)) {
    __plait_label_target = target;
    return;
  }
  fix_arguments(site_offset(site));
  __plait_label_target = in_runtime(target) ? target : nullptr;  // see hand_label (outside.h)
  if (known != static_cast<int>(LabelCall::TouchesNothing) && !in_runtime(target)) fix_all_memory(site_offset(site));
}
/// A function begins: who has called it?
int __plait_label_enter(const void* self) {
  if (!follows_inputs()) return kRuntime;
  const void* target = __plait_label_target;
  __plait_label_target = nullptr;
  if (target == self) return kFollowed;
  fix_arguments(0);
  return target == &by_runtime ? kRuntime : kUnknown;
}
u64 __plait_label_argument(int index, int width, u64 value) {
  const u64 label = __plait_label_arguments[index];
  if (!label) return 0;
  __plait_label_arguments[index] = 0;
  return fitting(label, width, value);
}
void __plait_label_return(const void* self, int caller, u64 label, const Site* site) {
  if (!follows_inputs()) return;
  decide(__plait_label_result, decided::kFixed, 0);  // nobody has asked for it
  __plait_label_returned = self;
  __plait_label_result = label;
  if (caller == kFollowed) return;
  __plait_label_result = 0;
  decide(label, decided::kFixed, site_offset(site));
  if (caller == kUnknown) fix_all_memory(site_offset(site));
}
u64 __plait_label_returned_by(const void* target, int width, u64 value) {
  const u64 label = __plait_label_result;
  if (!label) return 0;
  __plait_label_result = 0;
  if (__plait_label_returned != target) {
    decide(label, decided::kFixed, 0);
    return 0;
  }
  return fitting(label, width, value);
}
}
