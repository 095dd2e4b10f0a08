// What threads can ask about each other, and keys. Ghost words (ghost.h) stand for all of it.
#pragma once
#include "runtime/fiber.h"
#include "runtime/ghost.h"

namespace plait::runtime {

struct Key {
  bool used;
  u64 generation;  // grows when the key is deleted
  void (*destructor)(void*);
};
/// The current thread looks at a key.
Key look_at_key(u32 key);

/// A new thread has its parent's name, scheduling, processors and mask of signals; the parent looks at them first.
void look_at_state(const Fiber& parent);
void inherit_state(const Fiber& parent, Fiber& child);

/// The current thread looks at another one's policy.
int scheduling_policy(const Fiber& fiber);

/// A new run begins.
void reset_thread_state();

}  // namespace plait::runtime
