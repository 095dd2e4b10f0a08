// What the tables for exceptions say about the functions of a program: where they lie, where their frames end and where
// they keep their callers' registers at each instruction, and where exceptions arrive.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "trace/frames.h"

namespace plait::frames {

/// From `address` on.
struct Row {
  u64 address = 0;
  bool by_frame_pointer = false;
  i32 end = 0;                     // the frame's end, from the stack pointer or the frame pointer
  std::array<i32, kKept> saved{};  // bytes below the end; 0: in the register
};

/// Where an exception arrives that a call in these bytes has thrown.
struct LandingPad {
  u64 begin, end, pad;
};

struct Function {
  u64 begin = 0, end = 0;
  std::vector<Row> rows;  // sorted, the first one at `begin`
  std::vector<LandingPad> pads;
  const Row& row(u64 address) const;
};

/// An executable as far as it is of interest.
struct Code {
  u64 address = 0;  // of .text
  std::string bytes;
  std::vector<Function> functions;  // of which everything is understood
};

/// Empty: nothing can be said about this file. It is no executable with instrumented code, or something in it goes back
/// to where it was by other ways than returning.
std::optional<Code> read_code(const std::string& file);

}  // namespace plait::frames
