// Switching between stacks. 3 ns; the FS base (TLS) goes along, which makes it about 20.
#pragma once
#include "trace/types.h"

namespace plait::runtime {

struct Context {
  void* stack_pointer = nullptr;
  u64 fs_base = 0;
};

extern "C" {
/// Saves the callee-saved registers here, goes on in `to`. Returns when somebody switches back.
void __plait_context_switch(Context* from, const Context* to);
/// Goes on in `to` and forgets this stack.
[[noreturn]] void __plait_context_jump(const Context* to);
/// First code of a new fiber: calls the function in rbx with the argument in r12; must not return.
void __plait_context_entry();
}

/// Makes `context` start `function(argument)` on the stack that ends at `stack_top`.
void prepare(Context& context, u64 stack_top, void (*function)(void*), void* argument);

inline u64 read_fs_base() {
  u64 base;
  asm volatile("rdfsbase %0" : "=r"(base));
  return base;
}
inline void write_fs_base(u64 base) { asm volatile("wrfsbase %0" ::"r"(base) : "memory"); }

}  // namespace plait::runtime
