// A thread of the program: a stack, a TLS block (borrowed from a real, parked thread), and what the runtime knows of
// it.
#pragma once
#include "machine/operation.h"
#include "runtime/abi.h"
#include "runtime/context.h"
#include "runtime/float_modes.h"
#include "runtime/heap.h"
#include "runtime/shadow.h"
#include "runtime/store_buffer.h"
#include "runtime/turns.h"

namespace plait::runtime {

inline constexpr unsigned kMaxKeys = 128;
inline constexpr unsigned kMaxThreadExits = 64;

struct ThreadExit {  // a destructor of a thread_local object
  void (*function)(void*);
  void* object;
};

inline constexpr unsigned kMaxCleanups = 32;

struct KeyValue {  // pthread_setspecific
  const void* value;
  u64 generation;  // of the key: a key that was deleted and made anew has no values
};

/// A fingerprint (fingerprint.h); {0, 0}: not known.
struct State {
  u64 low = 0, high = 0;
};

struct Fiber {
  // First: what every access needs.
  u64 own = 0;  // broadcast(write_code(id)): shadow of bytes that only this thread has written
  u64 own_read = 0;
  u32 position = 0;  // hooked operations begun
  ThreadId id = 0;

  bool exists = false;  // forked in this run
  bool ended = false;
  bool detached = false;
  bool born_detached = false;
  bool joined = false;
  bool inner_release = false;  // what it notifies may be gone: instrument/inner_release.h
  u16 forks = 0;
  u16 idle_yields = 0;  // since its last step that was none
  u32 fork_site = 0;
  const Site* user_site = nullptr;     // __plait_user_site while another thread runs
  const Site* unknown_call = nullptr;  // __plait_unknown, likewise
  Context context;
  FloatModes float_modes;    // while another thread runs
  Fiber* starter = nullptr;  // run silently up to the next visible operation, then back to this one
  machine::Operation pending;
  u32 pending_position = 0;
  State state;       // in front of the pending operation
  State recent[16];  // the last states that it was in, in a ring
  State anchor;      // one of them, kept for longer and longer: a loop of any length comes back to it (Brent)
  u32 anchor_age = 0, anchor_limit = 0;
  u32 recent_next = 0;
  bool opaque = false;  // it has state that we cannot see
  u32 atomic_depth = 0;
  u32 changes = 0;                // see turns.h
  TurnMark turns[kDeepestTurns];  // of the loops that it is in, the outermost first
  StoreBuffer buffer;             // TSO, PSO
  enum class Wait : u8 { None, Drained, Room } buffer_wait = Wait::None;  // parked until its buffer is empty, has room

  void* (*routine)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;

  Arena arena;
  u64 lowest_local = 0;  // that may live, of those with a mark where they begin; 0: none (lifetime.cc)
  u64 clock = 0;         // virtual time, nanoseconds
  u32 timed_waits = 0;   // that it is in: see interpose_time.cc
  u64 random = 0;
  u32 inputs = 0;  // that it has taken

  KeyValue keys[kMaxKeys] = {};
  u32 keys_used = 0;  // highest key set + 1
  ThreadExit exits[kMaxThreadExits];
  u32 exit_count = 0;
  void* cleanup[kMaxCleanups];  // frames of pthread_cleanup_push
  u32 cleanup_count = 0;
  u8 cancel_state = 0, cancel_type = 0;
  u64 signal_mask = 0;

  // Kept across runs.
  u64 fs_base = 0;  // 0: no parked thread yet
  void* eh_globals = nullptr;
  int* error_number = nullptr;
};

extern Fiber fibers[kMaxThreads];

/// pthread_self() of a fiber, and back. Synthetic, because the real handle depends on creation order.
inline u64 handle_of(const Fiber& fiber) { return slice(fiber.id) + kParkedOffset - kPage; }
Fiber* fiber_of_handle(u64 handle);

/// Readies `fiber` for a new life: TLS, stack, arena.
void start_fiber(Fiber& fiber, ThreadId id, void (*entry)(void*));

/// No thread exists any more: a new run begins.
void forget_fibers();

/// The number of the `index`-th child of `parent`: the same in all runs and all workers.
ThreadId identity_of(ThreadId parent, u16 index);

/// Runs the thread's exit work (thread_local destructors, keys) on the current fiber.
void run_thread_exits(Fiber& fiber);

/// The current thread is over: does not return.
[[noreturn]] void finish_thread(void* result);

}  // namespace plait::runtime
