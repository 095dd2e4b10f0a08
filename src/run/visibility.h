// Visibility: all that a run depends on besides the program and its schedule. Which operations are visible, which
// numbers threads have, under which memory model stores wait. A plain value: bug files keep it, so that a replay sees
// the same operations and gives threads the same numbers.
//
// Runs find out more about it (two threads use the same bytes). It only grows, and traces from before do not show what
// has become visible since.
#pragma once
#include <vector>

#include "trace/input.h"
#include "trace/session.h"

namespace plait {

struct Visibility {
  struct Range {
    u64 begin;
    u32 size;
    bool operator==(const Range&) const = default;
  };
  MemoryModel memory_model = MemoryModel::Sc;
  std::vector<StrongStore> strong;   // stores that count as if they had another order
  std::vector<Identity> identities;  // entry 0 is main
  std::vector<Range> shared;
  bool clock_matters = false;  // some thread has looked at a clock
  bool counts_turns = false;   // loops that try a few times do so as often as is written (runtime/turns.h)

  std::vector<InputVariable> inputs;  // those with a value; others have the default

  /// Grows with what counts as a visible operation.
  size_t extent() const { return shared.size() + clock_matters + counts_turns; }
};

}  // namespace plait
