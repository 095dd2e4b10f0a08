// The class of a byte of the program's memory: who has touched it after the first fork, in any run so far. The class
// map (runtime/shadow.h) has it, for all workers of a session.
#pragma once
#include "trace/session.h"

namespace plait {

inline constexpr u8 kUntouched = 0;  // outside the heap; in the heap: not allocated
inline constexpr u8 kReadByMany = 253;
constexpr u8 read_code(ThreadId t) { return static_cast<u8>(1 + t); }
constexpr u8 write_code(ThreadId t) { return static_cast<u8>(1 + kMaxThreads + t); }
constexpr bool is_only_read(u8 code) {
  return (code >= read_code(0) && code <= read_code(kMaxThreads - 1)) || code == kReadByMany;
}

/// The class of a byte that both were said of. One thread in one run, and another in another run: they may meet.
constexpr u8 joined(u8 code, u8 other) {
  if (code == other || other == kUntouched) return code;
  if (code == kUntouched) return other;
  if (is_only_read(code) && is_only_read(other)) return kReadByMany;
  constexpr u8 kFromReadToWrite = write_code(0) - read_code(0);
  if (is_only_read(other) && other + kFromReadToWrite == code) return code;
  if (is_only_read(code) && code + kFromReadToWrite == other) return other;
  return kSharedClass;
}

/// A piece of the class map: bytes of one class.
struct Touched {
  u64 begin;
  u32 size;
  u32 code;
  bool operator==(const Touched&) const = default;
};

}  // namespace plait
