// Atomic and volatile accesses, fences, and the __atomic_* functions of libatomic (16 bytes).
#include "machine/value.h"
#include "runtime/access.h"
#include "runtime/waiting_loop.h"

namespace plait::runtime {
namespace {

template <class T>
bool is_visible(u64 address, u32 site) {
  begin_operation();
  if (!run.active) return false;
  if (run.watching) watch_read(address, sizeof(T), site);
  switch (classify_fast(address, sizeof(T), true)) {
    case Visibility::Private: drain_unseen(site); return false;
    case Visibility::OutsideBlock: fail_outside_block(address, sizeof(T), true, site);
    case Visibility::Visible: break;
  }
  return true;
}

template <class T>
T rmw(u64 address, T operand, RmwKind kind, Order order, u32 site) {
  auto* pointer = reinterpret_cast<volatile T*>(address);
  if (is_visible<T>(address, site)) {
    Event& event = await_turn({.op = Op::Rmw,
                               .size = sizeof(T),
                               .detail = static_cast<u8>(kind),
                               .order = order,
                               .site = site,
                               .location = address,
                               .operand = static_cast<u64>(operand)});
    check_alive(address, sizeof(T), true, site);
    if (follows_inputs()) note_shared_memory(address, sizeof(T));
    const T old = read_memory<T>(address);
    event.value = static_cast<u64>(old);
    if constexpr (sizeof(T) == 16) extend(event, old, operand, 0);
    if (kind != RmwKind::Exchange) need_value(address, sizeof(T), site);
    const T now = machine::rmw<T>(kind, old, operand);
    if (now != old) note_change();
    write_memory<T>(address, now);
    return old;
  }
  const T old = *pointer;
  if (run.active && kind != RmwKind::Exchange) need_value(address, sizeof(T), site);
  *pointer = machine::rmw<T>(kind, old, operand);
  if (*pointer != old) note_change();
  mark_written(address, sizeof(T));
  return old;
}

template <class T>
T cas(u64 address, T expected, T desired, Order order, Order failure_order, u32 site) {
  auto* pointer = reinterpret_cast<volatile T*>(address);
  if (is_visible<T>(address, site)) {
    Event& event = await_turn({.op = Op::Cas,
                               .size = sizeof(T),
                               .detail = static_cast<u8>(failure_order),
                               .order = order,
                               .site = site,
                               .location = address,
                               .operand = static_cast<u64>(desired),
                               .extra = static_cast<u64>(expected)});
    check_alive(address, sizeof(T), true, site);
    if (follows_inputs()) note_shared_memory(address, sizeof(T));
    const T old = read_memory<T>(address);
    event.value = static_cast<u64>(old);
    if constexpr (sizeof(T) == 16) extend(event, old, desired, expected);
    need_value(address, sizeof(T), site);
    if (old == expected) write_memory<T>(address, desired);
    if (old == expected && desired != old) note_change();
    return old;
  }
  const T old = *pointer;
  if (run.active) need_value(address, sizeof(T), site);
  if (old != expected) return old;
  if (desired != old) note_change();
  *pointer = desired;
  mark_written(address, sizeof(T));
  return old;
}

}  // namespace

u64 update(u64 address, u64 operand, RmwKind kind, Order order, u32 site) {
  return rmw<u64>(address, operand, kind, order, site);
}

namespace {

Order to_order(int order) { return static_cast<Order>(order); }

/// The orders of C (memory_order_relaxed ...), which libatomic's functions take; consume is acquire.
Order from_c(int order) {
  constexpr Order kOrders[] = {Order::Relaxed, Order::Acquire, Order::Acquire,
                               Order::Release, Order::AcqRel,  Order::SeqCst};
  return order >= 0 && order <= 5 ? kOrders[order] : Order::SeqCst;
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

#define PLAIT_ATOMIC_RMW(N, T)                                                                                         \
  T __plait_atomic_rmw##N(void* p, T operand, int kind, int order, const Site* site) {                                 \
    return rmw<T>(reinterpret_cast<u64>(p), operand, static_cast<RmwKind>(kind), to_order(order), site_offset(site));  \
  }                                                                                                                    \
  T __plait_atomic_cas##N(void* p, T expected, T desired, int order, int failure, const Site* site) {                  \
    return cas<T>(reinterpret_cast<u64>(p), expected, desired, to_order(order), to_order(failure), site_offset(site)); \
  }
// As plain accesses: see access.cc.
#define PLAIT_ATOMIC(N, T)                                                                                         \
  Found<T> __plait_enter_atomic_load##N(const void* p, int order, const Site* site);                               \
  void __plait_enter_atomic_store##N(void* p, T value, int order, const Site* site);                               \
  Found<T> __plait_atomic_read##N(const void* p, int order, const Site* site) {                                    \
    ++run.current->position;                                                                                       \
    if (__builtin_expect(is_own<T>(reinterpret_cast<u64>(p)), true))                                               \
      return {*reinterpret_cast<const volatile T*>(p), 0};                                                         \
    [[clang::musttail]] return __plait_enter_atomic_load##N(p, order, site);                                       \
  }                                                                                                                \
  Found<T> __plait_atomic_load##N(const void*, int, const Site*) __attribute__((alias("__plait_atomic_read" #N))); \
                                                                                                                   \
  void __plait_atomic_store##N(void* p, T value, int order, const Site* site) {                                    \
    ++run.current->position;                                                                                       \
    const bool fences = order >= static_cast<int>(Order::Release) && run.memory.buffers;                           \
    if (__builtin_expect(is_own<T>(reinterpret_cast<u64>(p)) && !fences, true)) {                                  \
      *reinterpret_cast<volatile T*>(p) = value;                                                                   \
      return;                                                                                                      \
    }                                                                                                              \
    [[clang::musttail]] return __plait_enter_atomic_store##N(p, value, order, site);                               \
  }                                                                                                                \
  Found<T> __plait_slow_atomic_load##N(const void* p, int order, const Site* site) {                               \
    const T value = load_slow<T>(reinterpret_cast<u64>(p), to_order(order), site_offset(site));                    \
    return {value, run.unwritten};                                                                                 \
  }                                                                                                                \
  void __plait_slow_atomic_store##N(void* p, T value, int order, const Site* site) {                               \
    store_slow<T>(reinterpret_cast<u64>(p), value, to_order(order), site_offset(site));                            \
  }                                                                                                                \
  PLAIT_ATOMIC_RMW(N, T)
PLAIT_ATOMIC(1, u8)
PLAIT_ATOMIC(2, u16)
PLAIT_ATOMIC(4, u32)
PLAIT_ATOMIC(8, u64)
#undef PLAIT_ATOMIC

// Operands of 16 bytes do not fit into the registers that a stub notes: these operations have no fingerprint.
u128 __plait_atomic_load16(const void* p, int order, const Site* site) {
  return load<u128>(reinterpret_cast<u64>(p), to_order(order), site);
}
void __plait_atomic_store16(void* p, u128 value, int order, const Site* site) {
  store<u128>(reinterpret_cast<u64>(p), value, to_order(order), site);
}
PLAIT_ATOMIC_RMW(16, u128)
#undef PLAIT_ATOMIC_RMW

void __plait_fence(int order, int scope, const Site* site) {
  begin_operation();
  switch (static_cast<FenceScope>(scope)) {
    case FenceScope::Threads: fence(to_order(order), site_offset(site)); break;
    case FenceScope::Signals: break;
    case FenceScope::Buffer: drain_unseen(site_offset(site)); break;
  }
}

// Alone, main may do what it likes.
void __plait_assembly(const Site* site) {
  note_foreign_code();
  if (!run.active || run.init_phase) return;
  __plait_call_site = site;
  unsupported("inline assembly that may access memory");
}

// What is left of 16-byte atomics after -mcx16: calls into libatomic. Names with a reserved prefix, hence asm labels.
u128 plait_libatomic_load(const void* p, int) asm("__atomic_load_16");
u128 plait_libatomic_load(const void* p, int order) {
  return load<u128>(reinterpret_cast<u64>(p), from_c(order), take_call_site());
}
void plait_libatomic_store(void* p, u128 value, int) asm("__atomic_store_16");
void plait_libatomic_store(void* p, u128 value, int order) {
  store<u128>(reinterpret_cast<u64>(p), value, from_c(order), take_call_site());
}
u128 plait_libatomic_exchange(void* p, u128 value, int) asm("__atomic_exchange_16");
u128 plait_libatomic_exchange(void* p, u128 value, int order) {
  return rmw<u128>(reinterpret_cast<u64>(p), value, RmwKind::Exchange, from_c(order), take_call_site());
}
bool plait_libatomic_cas(void* p, void* expected, u128 desired, int, int) asm("__atomic_compare_exchange_16");
bool plait_libatomic_cas(void* p, void* expected, u128 desired, int order, int failure) {
  u128 wanted;
  __builtin_memcpy(&wanted, expected, 16);
  const u128 old =
      cas<u128>(reinterpret_cast<u64>(p), wanted, desired, from_c(order), from_c(failure), take_call_site());
  __builtin_memcpy(expected, &old, 16);
  return old == wanted;
}
}
