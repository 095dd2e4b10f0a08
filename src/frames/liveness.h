// Which kept registers and which bytes of its frame a function may still read when one of its calls returns.
//
// Backwards over its instructions until nothing changes. What is not understood reads everything: jumps through
// tables, jumps out of the function. A function whose frame has addresses that go elsewhere keeps all of it alive; its
// registers are still told apart. Callees preserve the kept registers and do not reach into the frame.
#pragma once
#include <span>
#include <vector>

#include "frames/decoder.h"
#include "frames/function.h"

namespace plait::frames {

struct Table {
  std::vector<Site> sites;
  std::vector<Range> ranges;
};

/// Adds the function's calls. Nothing if some instruction cannot be decoded, or an address inside of the function is
/// calculated: somebody may jump there.
void add_calls(const Decoder& decoder, std::span<const u8> bytes, const Function& function, Table& table);

}  // namespace plait::frames
