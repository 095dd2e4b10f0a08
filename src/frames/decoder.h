// Machine code as far as liveness has to know it: which kept registers an instruction reads and writes, what it does to
// the frame, where control goes. Decoded by LLVM; whatever is not known for certain is said to read.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "trace/frames.h"

namespace plait::frames {

enum class Flow : u8 {
  Next,
  Call,
  Branch,  // to `target`, or on
  Jump,    // to `target`
  Return,
  Unknown,  // somewhere
  Stop,     // nowhere
};

/// An access to the frame, by the stack pointer or the frame pointer. Memory reached in another way is none of it, as
/// long as nobody takes an address of the frame.
struct FrameAccess {
  enum Kind : u8 { kNone, kRead, kWrite } kind = kNone;
  bool by_frame_pointer = false;
  i32 offset = 0;
  u32 bytes = 0;  // reads: at least what is read; 0: no bound is known. Writes: exactly what is written
};

struct Instruction {
  u64 address = 0;
  u32 size = 0;
  u8 reads = 0, writes = 0;  // kept registers, by bit; a write leaves nothing of the old value
  Flow flow = Flow::Next;
  u64 target = 0;
  FrameAccess access;
  bool takes_stack_pointer = false, takes_frame_pointer = false;  // goes elsewhere: addresses of the frame escape
  bool sets_frame_pointer = false;                                // to the stack pointer
  std::optional<i32> address_of_frame;                            // that offset, if it is just `lea offset(pointer)`
  bool address_by_frame_pointer = false;
  std::array<u64, 2> names{};  // numbers that may be addresses in the code
  u64 end() const { return address + size; }
};

class Decoder {
 public:
  Decoder();
  ~Decoder();
  /// False: no instruction that LLVM knows.
  bool decode(std::span<const u8> bytes, u64 address, Instruction& into) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace plait::frames
