// Fixed-width names used by every part. No STL: the runtime is linked into the user's program.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace plait {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;
using u128 = unsigned __int128;

/// Thread numbers are identities: they name (parent, fork index), not the order of creation in one run.
/// Number 0 is the main thread. Sets of threads are bit masks.
using ThreadId = u8;
using ThreadSet = u64;
inline constexpr unsigned kMaxThreads = 64;
inline constexpr ThreadId kNoThread = 0xff;

/// Names of memory models. What each allows: machine/memory_model.h, docs/memory-models.md.
enum class MemoryModel : u8 { Sc, Tso, Pso };

/// Under TSO and PSO the buffer of a thread takes steps of its own (flushes). It has a number, as threads have, and so
/// a program may have only half as many threads.
inline constexpr ThreadId kFirstBuffer = kMaxThreads / 2;
constexpr ThreadId buffer_of(ThreadId t) { return static_cast<ThreadId>(kFirstBuffer + t); }
/// The thread that a step belongs to: its own, or that of its buffer.
constexpr ThreadId owner_of(ThreadId t) {
  return t >= kFirstBuffer && t != kNoThread ? static_cast<ThreadId>(t - kFirstBuffer) : t;
}

/// Begins the text of a place that calls a function by name; what follows is the name.
inline constexpr char kCallText = 1;

constexpr ThreadSet bit(ThreadId t) { return ThreadSet{1} << t; }
constexpr ThreadId lowest(ThreadSet set) { return static_cast<ThreadId>(__builtin_ctzll(set)); }
constexpr unsigned count(ThreadSet set) { return static_cast<unsigned>(__builtin_popcountll(set)); }

}  // namespace plait
