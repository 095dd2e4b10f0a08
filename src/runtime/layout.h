// Where everything lies. All addresses that a program can observe are fixed, so that equal schedules give equal traces:
// address-space randomisation is off in workers, and what we allocate lies in one zone, a slice per thread identity.
#pragma once
#include "trace/types.h"

namespace plait::runtime {

inline constexpr u64 kGiB = 1ull << 30;
inline constexpr u64 kMiB = 1ull << 20;
inline constexpr u64 kPage = 4096;

inline constexpr u64 kZone = 0x600000000000;
inline constexpr u64 kSlice =
    8 * kGiB;  // per thread: heap arena, then the fiber's stack, then the parked thread's stack
inline constexpr u64 kZoneEnd = kZone + kSlice * (kMaxThreads + 1);  // the last slice: allocations before main
inline constexpr u64 kArenaSize = 4 * kGiB;
inline constexpr u64 kStackSize = 16 * kMiB;
inline constexpr u64 kStackOffset = 5 * kGiB;
inline constexpr u64 kParkedOffset = 6 * kGiB;
inline constexpr u64 kParkedSize = 256 * 1024;
inline constexpr ThreadId kBootSlice = kMaxThreads;

constexpr u64 slice(unsigned thread) { return kZone + kSlice * thread; }
constexpr bool in_zone(u64 address) { return address >= kZone && address < kZoneEnd; }
constexpr unsigned slice_of(u64 address) { return static_cast<unsigned>((address - kZone) / kSlice); }
constexpr bool in_heap(u64 address) { return in_zone(address) && (address - kZone) % kSlice < kArenaSize; }

// One byte of shadow for each byte of the program, by flipping address bits: no table, no branch.
inline constexpr u64 kActiveBits = 0x200000000000;
inline constexpr u64 kClassBits = 0x100000000000;
inline u8* active_of(u64 address) { return reinterpret_cast<u8*>(address ^ kActiveBits); }
inline u8* class_of(u64 address) { return reinterpret_cast<u8*>(address ^ kClassBits); }
inline constexpr u64 kHiddenBits = kActiveBits | kClassBits;
/// Both maps are written in one go: where their addresses differ in high bits only, processors take one for the other.
inline constexpr u64 kHiddenShift = 33 * 64;
inline u8* hidden_of(u64 address) { return reinterpret_cast<u8*>((address ^ kHiddenBits) + kHiddenShift); }

struct Range {
  u64 begin, end;
};
/// What has a shadow: the executable without and with PIE, our zone, libraries and the main stack.
inline constexpr Range kShadowed[] = {
    {0x000000010000, 4 * kGiB},
    {0x555500000000, 0x555700000000},
    {kZone, kZoneEnd},
    {0x7ffc00000000, 0x7ffffffff000},
};

}  // namespace plait::runtime
