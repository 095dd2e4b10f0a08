// Values and read-modify-write arithmetic. A value of n bytes is kept in the low n bytes of an integer.
#pragma once
#include "trace/event.h"

namespace plait::machine {

template <class Wide>
constexpr Wide truncate(Wide value, unsigned size) {
  return size >= sizeof(Wide) ? value : value & ((Wide{1} << (8 * size)) - 1);
}

template <class T>
T rmw_float(RmwKind kind, T old_bits, T operand_bits) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    using Float = __typeof__(__builtin_choose_expr(sizeof(T) == 4, 0.0f, 0.0));
    Float a, b;
    __builtin_memcpy(&a, &old_bits, sizeof a);
    __builtin_memcpy(&b, &operand_bits, sizeof b);
    Float result = kind == RmwKind::FAdd ? a + b : a - b;
    T bits;
    __builtin_memcpy(&bits, &result, sizeof bits);
    return bits;
  }
  return old_bits;
}

/// Names a sequence: the value so far, one more thing. Order matters.
constexpr u64 mix(u64 old, u64 operand) {
  u64 x = old * 0x9e3779b97f4a7c15ull + operand + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// The value that a read-modify-write of type T (unsigned, 1 to 16 bytes) leaves in memory.
template <class T>
T rmw(RmwKind kind, T old, T operand) {
  constexpr T kSign = T(T{1} << (8 * sizeof(T) - 1));
  switch (kind) {
    case RmwKind::Exchange: return operand;
    case RmwKind::Add: return T(old + operand);
    case RmwKind::Sub: return T(old - operand);
    case RmwKind::And: return T(old & operand);
    case RmwKind::Or: return T(old | operand);
    case RmwKind::Xor: return T(old ^ operand);
    case RmwKind::Nand: return T(~(old & operand));
    // Flipping the sign bit turns signed order into unsigned order.
    case RmwKind::Max: return T(old ^ kSign) > T(operand ^ kSign) ? old : operand;
    case RmwKind::Min: return T(old ^ kSign) < T(operand ^ kSign) ? old : operand;
    case RmwKind::UMax: return old > operand ? old : operand;
    case RmwKind::UMin: return old < operand ? old : operand;
    case RmwKind::UIncWrap: return old >= operand ? T{0} : T(old + 1);
    case RmwKind::UDecWrap: return (old == 0 || old > operand) ? operand : T(old - 1);
    case RmwKind::FAdd:
    case RmwKind::FSub: return rmw_float<T>(kind, old, operand);
    case RmwKind::Mix: return T(mix(static_cast<u64>(old), static_cast<u64>(operand)));
  }
  return old;
}

/// The same for a size that is known later. Wide: holds values of that size.
template <class Wide>
Wide rmw(RmwKind kind, unsigned size, Wide old, Wide operand) {
  switch (size) {
    case 1: return rmw<u8>(kind, static_cast<u8>(old), static_cast<u8>(operand));
    case 2: return rmw<u16>(kind, static_cast<u16>(old), static_cast<u16>(operand));
    case 4: return rmw<u32>(kind, static_cast<u32>(old), static_cast<u32>(operand));
    case 8: return rmw<u64>(kind, static_cast<u64>(old), static_cast<u64>(operand));
    default: return rmw<Wide>(kind, old, operand);
  }
}

}  // namespace plait::machine
