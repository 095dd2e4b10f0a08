// Rounding, masks and flags of the floating-point units: part of a thread as its registers are.
#pragma once
#include "trace/types.h"

namespace plait::runtime {

/// One word: putting it together from parts in memory would stall at every switch.
struct FloatModes {
  u64 packed = 0x037f'0000'1f80;

  u32 mxcsr() const { return static_cast<u32>(packed); }  // SSE: control and flags
  u16 x87_control() const { return static_cast<u16>(packed >> 32); }
  u64 controls() const { return (mxcsr() & ~0x3fu) | static_cast<u64>(x87_control()) << 32; }  // without flags
  u16 x87_flags() const { return static_cast<u16>(packed >> 48); }
};

inline FloatModes read_float_modes() {
  u32 mxcsr;
  u16 control, flags;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  asm volatile("fnstcw %0" : "=m"(control));
  asm volatile("fnstsw %0" : "=a"(flags));
  flags &= 0x3f;  // the stack is empty at a call
  return {mxcsr | static_cast<u64>(control) << 32 | static_cast<u64>(flags) << 48};
}

/// From one to the other. Most threads agree, and loading is slow.
inline void switch_float_modes(FloatModes from, FloatModes to) {
  if (__builtin_expect(from.packed == to.packed, true)) return;
  const u32 mxcsr = to.mxcsr();
  const u16 control = to.x87_control();
  asm volatile("ldmxcsr %0" ::"m"(mxcsr));
  if (from.x87_flags() != to.x87_flags()) {
    u16 environment[14];  // control, -, status, -, tags ...
    asm volatile("fnstenv %0" : "=m"(environment));
    environment[2] = static_cast<u16>((environment[2] & ~0x3f) | to.x87_flags());
    environment[0] = control;
    asm volatile("fldenv %0" ::"m"(environment));
  } else {
    asm volatile("fldcw %0" ::"m"(control));
  }
}

}  // namespace plait::runtime
