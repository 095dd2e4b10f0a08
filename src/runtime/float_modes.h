// Rounding, masks and flags of the floating-point units: part of a thread as its registers are.
#pragma once
#include "trace/types.h"

namespace plait::runtime {

struct FloatModes {
  u32 mxcsr = 0x1f80;      // SSE: control and flags
  u16 x87_control = 0x037f;
  u16 x87_flags = 0;

  u64 packed() const { return mxcsr | static_cast<u64>(x87_control) << 32 | static_cast<u64>(x87_flags) << 48; }
};

inline FloatModes read_float_modes() {
  FloatModes modes;
  asm volatile("stmxcsr %0" : "=m"(modes.mxcsr));
  asm volatile("fnstcw %0" : "=m"(modes.x87_control));
  asm volatile("fnstsw %0" : "=m"(modes.x87_flags));
  modes.x87_flags &= 0x3f;  // the stack is empty at a call
  return modes;
}

/// From one to the other. Most threads agree, and loading is slow.
inline void switch_float_modes(const FloatModes& from, const FloatModes& to) {
  if (__builtin_expect(from.packed() == to.packed(), true)) return;
  asm volatile("ldmxcsr %0" ::"m"(to.mxcsr));
  if (from.x87_flags != to.x87_flags) {
    u16 environment[14];  // control, -, status, -, tags ...
    asm volatile("fnstenv %0" : "=m"(environment));
    environment[2] = static_cast<u16>((environment[2] & ~0x3f) | to.x87_flags);
    environment[0] = to.x87_control;
    asm volatile("fldenv %0" ::"m"(environment));
  } else {
    asm volatile("fldcw %0" ::"m"(to.x87_control));
  }
}

}  // namespace plait::runtime
