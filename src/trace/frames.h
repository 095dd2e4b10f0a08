// What is dead while a function waits for a call to return: section "plait_frames" of a program's file, which is not
// loaded. Made when the program is linked (src/frames), read by the runtime (runtime/frames.h).
//
//   Header, Header::sites times Site, Header::ranges times Range
//
// A site is a call, named by its return address. What is dead will not be read before it is written, whatever comes.
#pragma once
#include "trace/types.h"

namespace plait::frames {

inline constexpr const char* kSection = "plait_frames";
/// Of a unit in which registers and memory can come together in other ways than by calls, returns and exceptions:
/// setjmp, other calling conventions. A program with one has no table.
inline constexpr const char* kOddSection = "plait_odd_calls";
inline constexpr u32 kMagic = 0x50465231;  // changes with the layout and the meaning

/// The registers that calls preserve, in the order of runtime::Entry::kept.
enum Kept : u32 { kRbx, kRbp, kR12, kR13, kR14, kR15, kKept };

struct Header {
  u32 magic;
  u32 sites;  // sorted by address
  u32 ranges;
  u32 reserved;
  u64 code, code_size, code_hash;  // the code that this was made from: address in the file's terms, XXH3 of its bytes
};
static_assert(sizeof(Header) == 40);

inline constexpr u16 kByFramePointer = 0xffff;
inline constexpr u8 kReadsArguments = 1;  // the function may read arguments in its caller's frame

/// The frame ends where the caller's begins: behind the return address. "Below" is counted down from there.
struct Site {
  u32 address;  // as in the file: where the call returns to
  u16 words;    // from the stack pointer then to the end of the frame; kByFramePointer: it ends 16 bytes above rbp
  u8 live;      // by kept register: what the function itself has in it
  u8 flags;
  u8 saved[kKept];  // words below the end: where the function keeps its caller's value; 0: still in the register
  u16 count;        // dead ranges of the frame
  u32 first;        // of them
};
static_assert(sizeof(Site) == 20);

struct Range {
  u16 begin, end;  // bytes below the end of the frame: begin > end
};

}  // namespace plait::frames
