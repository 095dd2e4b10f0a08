// What interposed functions read and write through pointers of the program is an access like any other.
#pragma once
#include "runtime/access.h"

namespace plait::runtime {

/// The site of the call into the runtime that is under way; stays there for what the call does next.
inline u32 peek_call_site() {
  const Site* site = __plait_call_site;
  const u32 result = take_call_site();
  __plait_call_site = site;
  return result;
}

/// Bytes of a value; a long double ends in six bytes that hold nothing, and what they are on the runtime's stack is
/// chance.
template <class T>
inline constexpr u64 kValueSize = __is_same(T, long double) ? 10 : sizeof(T);

/// Stores a result through the program's pointer; null is fine.
template <class T>
void give(T* to, const T& value, u32 site = peek_call_site()) {
  if (!to) return;
  if (!run.active)
    __builtin_memcpy(to, &value, kValueSize<T>);
  else
    store_range(reinterpret_cast<u64>(to), reinterpret_cast<const char*>(&value), kValueSize<T>, site);
}

/// Loads an argument that the program passes by pointer.
template <class T>
T take(const T* from, u32 site = peek_call_site()) {
  T value;
  if (!run.active)
    __builtin_memcpy(&value, from, sizeof(T));
  else
    load_range(reinterpret_cast<char*>(&value), reinterpret_cast<u64>(from), sizeof(T), site);
  return value;
}

}  // namespace plait::runtime
