// Hooked accesses: the short path inline, the rest in access.cc.
#pragma once
#include "runtime/failure.h"
#include "runtime/labels.h"
#include "runtime/scheduler.h"
#include "runtime/unwritten.h"

namespace plait::runtime {

template <class T>
T load_slow(u64 address, Order order, u32 site);
template <class T>
void store_slow(u64 address, T value, Order order, u32 site);

/// As classify(), with short cuts for what is common; size 1, 2, 4, 8 or 16.
Visibility classify_fast(u64 address, u64 size, bool write);

/// A visible access waited for its turn: the block may have been freed meanwhile. Size 0: of an object, for
/// synchronisation.
void check_alive(u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause = FailureNote::Cause::Operation);
/// Would it fail there?
bool is_dead(u64 address, u64 size);

/// Adds the high halves of a 16-byte access.
void extend(Event& event, u128 value, u128 operand, u128 extra);

/// Shared memory as everybody sees it.
template <class T>
T read_memory(u64 address) {
  return run.memory.buffers ? static_cast<T>(global_load(address, sizeof(T)))
                            : *reinterpret_cast<const volatile T*>(address);
}
template <class T>
void write_memory(u64 address, T value) {
  if (run.memory.buffers) return global_store(address, value, sizeof(T));
  *reinterpret_cast<volatile T*>(address) = value;
  mark_written(address, sizeof(T));
}

inline u32 to_site(u32 site) { return site; }
inline u32 to_site(const Site* site) { return site_offset(site); }

/// True if only the current thread has ever touched these bytes, and written them.
template <class T>
__attribute__((always_inline)) inline bool is_own(u64 address) {
  if constexpr (sizeof(T) == 16) {
    return false;
  } else {
    T shadow;
    __builtin_memcpy(&shadow, active_of(address), sizeof(T));
    return shadow == static_cast<T>(run.current->own);
  }
}

/// The first write to bytes without a value that nobody else uses, as far as is known: they are own bytes from now on.
template <class T>
__attribute__((always_inline)) inline bool take_own(u64 address) {
  T shadow, hidden;
  __builtin_memcpy(&shadow, active_of(address), sizeof(T));
  if (shadow != static_cast<T>(broadcast(kUnwritten))) return false;
  __builtin_memcpy(&hidden, hidden_of(address), sizeof(T));
  if (hidden != static_cast<T>(run.current->own)) return false;
  __builtin_memcpy(active_of(address), &hidden, sizeof(T));
  return true;
}

/// Without the label of what is there being lost: memory_label() has it.
template <class T, class S>
__attribute__((always_inline)) inline T load_followed(u64 address, Order order, S site) {
  ++run.current->position;
  if (__builtin_expect(is_own<T>(address), true)) return *reinterpret_cast<const volatile T*>(address);
  return load_slow<T>(address, order, to_site(site));
}

// For the library functions of the runtime; compiled code enters through access.cc and atomic.cc.
template <class T, class S>
__attribute__((always_inline)) inline T load(u64 address, Order order, S site) {
  const T value = load_followed<T>(address, order, site);
  if (follows_inputs()) fix_memory(address, sizeof(T), to_site(site));
  return value;
}

template <class T, class S>
__attribute__((always_inline)) inline void store(u64 address, T value, Order order, S site, u64 label = 0) {
  ++run.current->position;
  const bool fences = order >= Order::Release && run.memory.buffers;
  if (__builtin_expect(is_own<T>(address) && !fences, true))
    *reinterpret_cast<volatile T*>(address) = value;
  else
    store_slow<T>(address, value, order, to_site(site));
  if (!follows_inputs()) return;
  if constexpr (sizeof(T) == 16) {
    set_memory_label(address, 8, static_cast<u64>(value), 0);
    set_memory_label(address + 8, 8, static_cast<u64>(value >> 64), 0);
  } else {
    set_memory_label(address, sizeof(T), static_cast<u64>(value), label);
  }
}

/// A read-modify-write of the runtime itself (ghost.h); returns the old value.
u64 update(u64 address, u64 operand, RmwKind kind, Order order, u32 site);

/// Memory functions. Visible parts go in pieces of up to 8 bytes.
void copy(u64 to, u64 from, u64 size, u32 site);
void fill(u64 to, u8 byte, u64 size, u32 site);
/// `follow`: it is compiled code that moves them, with their labels; else the runtime needs their values, or gives
/// some.
void load_range(char* to_private, u64 from, u64 size, u32 site, bool follow = false);
/// A text of the program, with its end, as far as it fits; its length.
u64 read_text(const char* text, char* to_private, u64 capacity, u32 site);
u64 text_length(const char* text, u32 site);
void store_range(u64 to, const char* from_private, u64 size, u32 site, bool follow = false);

}  // namespace plait::runtime
