// Stands in for the runtime in the plugin's own tests: every hook does natively what it stands for and counts. At exit
// the counts go to standard error when PLAIT_STUB_COUNTS is set.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "trace/event.h"

using plait::RmwKind;
using plait::Site;
using u128 = unsigned __int128;

extern "C" {

const Site* __plait_call_site;
const Site* __plait_user_site;
const Site* __plait_unknown;
const Site* __plait_opaque;
void __plait_module(const Site*, const Site*, const plait::GlobalVariable*, const plait::GlobalVariable*,
                    const plait::RedZone*, const plait::RedZone*) {}
void __plait_assembly(const Site*) {}
void __plait_handed(void*, int, const Site*) {}
void __plait_begin_life(void*, uint64_t, uint64_t, const Site*) {}
void __plait_end_life(void*, uint64_t, uint64_t, const Site*) {}
void __plait_guard(void*, uint64_t, uint64_t, const Site*) {}
void __plait_release_stack(void*) {}
void __plait_unwound() {}
void __plait_out_of_bounds(uint64_t, uint64_t, int, uint64_t, const char*, const Site*) { abort(); }
void __plait_unwritten(void*, uint64_t) {}
void __plait_written(void*) {}
void __plait_put_unwritten(void*, const void*, uint64_t) {}
void __plait_get_unwritten(void* bits, const void*, uint64_t size) { memset(bits, 0, size); }
void __plait_store_unwritten(void*, uint64_t, uint64_t) { _Exit(98); }  // every load has found a value
void __plait_uninitialised(uint64_t, int, const Site*) { _Exit(97); }
unsigned char __plait_own_new;
int __plait_abi_2 = 1;

// The table sections exist in every instrumented program.
extern Site __start_plait_sites[] __attribute__((weak)), __stop_plait_sites[] __attribute__((weak));

static unsigned long calls;

static void check_site(const Site* site) {
  ++calls;
  site = reinterpret_cast<const Site*>(reinterpret_cast<uintptr_t>(site) & ~uintptr_t{plait::kLibrarySite});
  if (site < __start_plait_sites || site >= __stop_plait_sites || !site->file) {
    fprintf(stderr, "stub: a hook was called with a bad site\n");
    _Exit(99);
  }
}

__attribute__((destructor)) static void report() {
  if (getenv("PLAIT_STUB_COUNTS")) fprintf(stderr, "hooks %lu\n", calls);
}

#define PLAIN(N, T)                                                     \
  plait::Found<T> __plait_load##N(const void* from, const Site* site) { \
    check_site(site);                                                   \
    T value;                                                            \
    memcpy(&value, from, N);                                            \
    return {value, 0};                                                  \
  }                                                                     \
  void __plait_store##N(void* to, T value, const Site* site) {          \
    check_site(site);                                                   \
    memcpy(to, &value, N);                                              \
  }
PLAIN(1, uint8_t)
PLAIN(2, uint16_t)
PLAIN(4, uint32_t)
PLAIN(8, uint64_t)

void __plait_load_range(void* temporary, const void* from, uint64_t size, const Site* site) {
  check_site(site);
  memcpy(temporary, from, size);
}
void __plait_store_range(void* to, const void* temporary, uint64_t size, const Site* site) {
  check_site(site);
  memcpy(to, temporary, size);
}
void __plait_copy(void* to, const void* from, uint64_t size, const Site* site) {
  check_site(site);
  memmove(to, from, size);
}
void __plait_fill(void* to, int byte, uint64_t size, const Site* site) {
  check_site(site);
  memset(to, byte, size);
}
static int atomic_depth;
void __plait_atomic_begin() { ++atomic_depth; }
void __plait_atomic_end() {
  if (--atomic_depth < 0) abort();
}
void __plait_fence(int order, int, const Site* site) {
  check_site(site);
  if (order < 2 || order > 7) abort();
}
}

template <typename T, typename Signed, typename Float>
static T apply(T old, T operand, int kind) {
  Float a, b;
  switch (static_cast<RmwKind>(kind)) {
    case RmwKind::Exchange: return operand;
    case RmwKind::Add: return old + operand;
    case RmwKind::Sub: return old - operand;
    case RmwKind::And: return old & operand;
    case RmwKind::Or: return old | operand;
    case RmwKind::Xor: return old ^ operand;
    case RmwKind::Nand: return ~(old & operand);
    case RmwKind::Max: return static_cast<Signed>(old) > static_cast<Signed>(operand) ? old : operand;
    case RmwKind::Min: return static_cast<Signed>(old) < static_cast<Signed>(operand) ? old : operand;
    case RmwKind::UMax: return old > operand ? old : operand;
    case RmwKind::UMin: return old < operand ? old : operand;
    case RmwKind::FAdd:
    case RmwKind::FSub:
      if (sizeof(Float) != sizeof(T)) abort();
      memcpy(&a, &old, sizeof a);
      memcpy(&b, &operand, sizeof b);
      a = static_cast<RmwKind>(kind) == RmwKind::FAdd ? a + b : a - b;
      memcpy(&old, &a, sizeof a);
      return old;
    default: abort();
  }
}

template <class T>
T as_loaded(T value, T*) {
  return value;
}
template <class T>
plait::Found<T> as_loaded(T value, plait::Found<T>*) {
  return {value, 0};
}

#define ATOMIC(N, T, Signed, Float, Loaded)                                                         \
  extern "C" Loaded __plait_atomic_load##N(const void* from, int, const Site* site) {               \
    check_site(site);                                                                               \
    T value;                                                                                        \
    memcpy(&value, from, N);                                                                        \
    return as_loaded(value, static_cast<Loaded*>(nullptr));                                         \
  }                                                                                                 \
  extern "C" void __plait_atomic_store##N(void* to, T value, int, const Site* site) {               \
    check_site(site);                                                                               \
    memcpy(to, &value, N);                                                                          \
  }                                                                                                 \
  extern "C" T __plait_atomic_rmw##N(void* at, T operand, int kind, int, const Site* site) {        \
    check_site(site);                                                                               \
    T old;                                                                                          \
    memcpy(&old, at, N);                                                                            \
    T next = apply<T, Signed, Float>(old, operand, kind);                                           \
    memcpy(at, &next, N);                                                                           \
    return old;                                                                                     \
  }                                                                                                 \
  extern "C" T __plait_atomic_cas##N(void* at, T expected, T desired, int, int, const Site* site) { \
    check_site(site);                                                                               \
    T old;                                                                                          \
    memcpy(&old, at, N);                                                                            \
    if (old == expected) memcpy(at, &desired, N);                                                   \
    return old;                                                                                     \
  }
ATOMIC(1, uint8_t, int8_t, float, plait::Found<uint8_t>)
ATOMIC(2, uint16_t, int16_t, float, plait::Found<uint16_t>)
ATOMIC(4, uint32_t, int32_t, float, plait::Found<uint32_t>)
ATOMIC(8, uint64_t, int64_t, double, plait::Found<uint64_t>)
ATOMIC(16, u128, __int128, float, u128)

// Redirected functions: the library's own, whatever their type. Weak: a C program has none of libstdc++'s.
#define PLAIT_REDIRECT(name) \
  __asm__(".weak " #name "\n.globl __plait_" #name "\n__plait_" #name ": jmp " #name "@PLT\n");
#include "instrument/redirect.def"
#undef PLAIT_REDIRECT
