// Inputs: SV-COMP's functions, KLEE's, and those of plait.h. Each call is a variable of its own, named by its thread
// and how many inputs that has taken before. The engine chooses values (trace/input.h); a fixed one is 0, or the least
// of its range, and the verdict says so.
#include <string.h>
#include <sys/types.h>

#include "runtime/access.h"
#include "runtime/labels.h"
#include "runtime/outside.h"
#include "runtime/process.h"

extern "C" {
extern const void* __plait_label_returned;
extern plait::u64 __plait_label_result;
void __plait_assume(int condition);
}

namespace plait::runtime {
namespace {

u64 identity_of(const InputVariable& input) {
  u64 hash =
      labels::mixed(static_cast<u64>(input.thread) << 32 | input.index,
                    static_cast<u64>(input.width) << 8 | static_cast<u64>(input.is_signed) << 1 | input.has_range);
  hash = labels::mixed(labels::mixed(hash, input.low), input.high);
  for (const char* c = input.name; *c; ++c) hash = labels::mixed(hash, static_cast<u8>(*c));
  return hash ? hash : 1;
}

/// Its place in the table; null: there is none any more.
InputVariable* enter(const InputVariable& input) {
  LabelTables& tables = labels_of(*process.session);
  for (u64 at = input.id, tries = 0; tries < kInputVariables; ++at, ++tries) {
    InputVariable& slot = tables.input[at % kInputVariables];
    u64 found = __atomic_load_n(&slot.id, __ATOMIC_ACQUIRE);
    if (found == 0) {
      if (__atomic_load_n(&tables.input_count, __ATOMIC_RELAXED) > kInputVariables / 2) break;
      if (__atomic_compare_exchange_n(&slot.id, &found, input.id, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        __atomic_fetch_add(&tables.input_count, 1, __ATOMIC_RELAXED);
    }
    if (found != 0 && found != input.id) continue;
    if (slot.ready) return &slot;
    // Whoever writes it writes the same; the value is the engine's.
    slot.low = input.low;
    slot.high = input.high;
    slot.index = input.index;
    slot.thread = input.thread;
    slot.width = input.width;
    slot.is_signed = input.is_signed;
    slot.has_range = input.has_range;
    __builtin_memcpy(slot.name, input.name, sizeof slot.name);
    __atomic_store_n(&slot.ready, u8{1}, __ATOMIC_RELEASE);
    return &slot;
  }
  if (tables.enabled) tables.overflow = 1;
  return nullptr;
}

/// Has the user given it a value?
NamedInput* named_input(const InputVariable& input) {
  LabelTables& tables = labels_of(*process.session);
  for (u32 i = 0; i < tables.named_count; ++i) {
    NamedInput& named = tables.named[i];
    if (strcmp(named.name, input.name) != 0) continue;
    named.taken = 1;
    const u64 bits = labels::mask(input.width), value = named.value & bits;
    const auto number = [&](u64 of) { return labels::as_signed(of, input.width); };
    // Of 8 bits: -128 to 255.
    bool fits = named.value == value || static_cast<u64>(number(value)) == named.value;
    if (input.has_range)
      fits &= input.is_signed ? number(input.low) <= number(value) && number(value) <= number(input.high)
                              : input.low <= value && value <= input.high;
    if (!fits) named.misfit = 1;
    return &named;
  }
  return nullptr;
}

struct Taken {
  u64 value;
  u64 label;
};

Taken take_input(InputVariable input, const char* name) {
  if (!run.active) {
    __atomic_fetch_or(&process.session->inputs, input_kind::kNondet, __ATOMIC_RELAXED);
    return {input.low, 0};
  }
  Fiber& fiber = *run.current;
  input.thread = fiber.id;
  input.index = fiber.inputs++;
  strncpy(input.name, name, sizeof input.name - 1);
  input.id = identity_of(input);
  InputVariable* slot = enter(input);
  NamedInput* named = named_input(input);
  if (named && slot) {
    slot->value = named->value & labels::mask(input.width);
    slot->has_value = 1;
  }
  const u64 value = (slot && slot->has_value ? slot->value : input.low) & labels::mask(input.width);
  if (named || !follows_inputs() || !labels_of(*process.session).enabled) {
    note_input(input_kind::kNondet);
    return {value, 0};
  }
  if (label_state.reads) end_init_phase_at_input();
  LabelNode node{};
  node.op = LabelOp::Input;
  node.width = node.from_width = input.width;
  node.constant[0] = input.id;
  node.value = value;
  return {value, label_of(node)};
}

template <class T>
InputVariable all_of() {
  InputVariable input{};
  input.width = sizeof(T) * 8;
  input.is_signed = T(-1) < T(0);
  return input;
}

InputVariable range_of(unsigned bits, bool is_signed, u64 low, u64 high) {
  InputVariable input{};
  input.width = static_cast<u8>(bits);
  input.is_signed = is_signed;
  input.has_range = 1;
  input.low = low;
  input.high = high;
  return input;
}

/// What the compiled caller finds beside the result.
void return_label(const void* function, u64 label) {
  __plait_label_returned = function;
  __plait_label_result = label;
}

template <class T>
T nondet(const char* name, const void* function) {
  if constexpr (__is_same(T, bool)) {
    const Taken taken = take_input(range_of(8, false, 0, 1), name);
    return_label(function, make_cast(LabelOp::Trunc, 8, 1, taken.value, taken.label));
    return taken.value & 1;
  } else if constexpr (__is_integral(T) && sizeof(T) <= 8) {
    const Taken taken = take_input(all_of<T>(), name);
    return_label(function, taken.label);
    return static_cast<T>(taken.value);
  } else {  // no expressions of these
    note_input(input_kind::kNondet);
    return T{};
  }
}

template <class T>
void take_part(u64 address, const char* name, u32 site) {
  const Taken taken = take_input(all_of<T>(), name);
  store<T>(address, static_cast<T>(taken.value), Order::Plain, site, taken.label);
}

void take_object(u64 address, u64 size, const char* name, u32 site) {
  const bool whole = size == 1 || size == 2 || size == 4 || size == 8;
  for (u64 done = 0; done < size;) {
    char part[sizeof InputVariable{}.name];
    if (whole)
      __builtin_snprintf(part, sizeof part, "%s", name);
    else
      __builtin_snprintf(part, sizeof part, "%.30s[%llu]", name, static_cast<unsigned long long>(done));
    const u64 left = size - done;
    if (left >= 8) {
      take_part<u64>(address + done, part, site);
      done += 8;
    } else if (left >= 4) {
      take_part<u32>(address + done, part, site);
      done += 4;
    } else if (left >= 2) {
      take_part<u16>(address + done, part, site);
      done += 2;
    } else {
      take_part<u8>(address + done, part, site);
      done += 1;
    }
  }
}

/// A name of the program's, which may lie in its memory.
struct Name {
  char text[sizeof InputVariable{}.name];
  Name(const char* from, u32 site) {
    text[0] = 0;
    if (from && run.active) read_text(from, text, sizeof text, site);
    if (!text[0]) __builtin_snprintf(text, sizeof text, "input");
  }
};

}  // namespace

InputByte take_input_byte(const char* name) {
  const Taken taken = take_input(all_of<u8>(), name);
  return {static_cast<u8>(taken.value), taken.label};
}

}  // namespace plait::runtime

using namespace plait::runtime;

extern "C" {

#define PLAIT_NONDET(name, type)                                                                    \
  type __VERIFIER_nondet_##name() {                                                                 \
    return nondet<type>("nondet_" #name, reinterpret_cast<const void*>(&__VERIFIER_nondet_##name)); \
  }
PLAIT_NONDET(bool, bool)
PLAIT_NONDET(_Bool, bool)
PLAIT_NONDET(char, char)
PLAIT_NONDET(schar, signed char)
PLAIT_NONDET(uchar, unsigned char)
PLAIT_NONDET(short, short)
PLAIT_NONDET(ushort, unsigned short)
PLAIT_NONDET(int, int)
PLAIT_NONDET(uint, unsigned)
PLAIT_NONDET(unsigned, unsigned)
PLAIT_NONDET(long, long)
PLAIT_NONDET(ulong, unsigned long)
PLAIT_NONDET(longlong, long long)
PLAIT_NONDET(ulonglong, unsigned long long)
PLAIT_NONDET(int128, __int128)
PLAIT_NONDET(uint128, unsigned __int128)
PLAIT_NONDET(float, float)
PLAIT_NONDET(double, double)
PLAIT_NONDET(size_t, size_t)
PLAIT_NONDET(loff_t, long long)
PLAIT_NONDET(sector_t, unsigned long)
PLAIT_NONDET(pthread_t, unsigned long)
PLAIT_NONDET(u8, unsigned char)
PLAIT_NONDET(u16, unsigned short)
PLAIT_NONDET(u32, unsigned)
PLAIT_NONDET(u64, unsigned long long)
PLAIT_NONDET(pointer, void*)
PLAIT_NONDET(pchar, char*)
PLAIT_NONDET(charp, char*)
PLAIT_NONDET(const_char_pointer, const char*)
#undef PLAIT_NONDET

/// The block is stored to, so that others see it.
void __VERIFIER_nondet_memory(void* block, size_t size) {
  take_object(reinterpret_cast<plait::u64>(block), size, "nondet_memory", take_call_site());
}

void __plait_input(void* object, size_t size, const char* name) {
  const plait::u32 site = take_call_site();
  take_object(reinterpret_cast<plait::u64>(object), size, Name(name, site).text, site);
}
long long __plait_input_range(long long low, long long high, const char* name) {
  const Taken taken = take_input(range_of(64, true, static_cast<plait::u64>(low), static_cast<plait::u64>(high)),
                                 Name(name, take_call_site()).text);
  return_label(reinterpret_cast<const void*>(&__plait_input_range), taken.label);
  return static_cast<long long>(taken.value);
}

void klee_make_symbolic(void* object, size_t size, const char* name) { __plait_input(object, size, name); }
int klee_range(int begin, int end, const char* name) {
  const Taken taken = take_input(
      range_of(32, true, static_cast<plait::u32>(begin), static_cast<plait::u32>(end > begin ? end - 1 : begin)),
      Name(name, take_call_site()).text);
  return_label(reinterpret_cast<const void*>(&klee_range), taken.label);
  return static_cast<int>(taken.value);
}
int klee_int(const char* name) {
  const Taken taken = take_input(all_of<int>(), Name(name, take_call_site()).text);
  return_label(reinterpret_cast<const void*>(&klee_int), taken.label);
  return static_cast<int>(taken.value);
}
void klee_assume(uintptr_t condition) { __plait_assume(condition != 0); }

/// main looks at its parameters (instrument/calls.cc).
void __plait_uses_arguments() {
  if (!are_arguments_free()) note_input(plait::input_kind::kArguments);
}
}
