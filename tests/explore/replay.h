// Follows schedules of tiny programs.
#pragma once
#include <span>
#include <stdexcept>

#include "tiny_program.h"

namespace plait {

/// The state behind these steps, as explorers write them; a step that is not possible throws. Words have positions from
/// 2 on: a thread begins with Begin.
inline TinyState replay(const TinyProgram& program, std::span<const Choice> steps) {
  TinyState state = program.initial();
  const auto perform = [&](u32 thread, bool is_flush, u32 word) {
    for (const TinyMove& move : program.moves(state)) {
      if (move.thread != thread || move.is_flush != is_flush) continue;
      if (is_flush ? state.buffers[thread][move.place].second != word : state.next[thread] > word) continue;
      state = program.after(state, move);
      return;
    }
    throw std::logic_error("the schedule does not fit");
  };
  for (const Choice& step : steps) {
    const bool is_flush = step.thread >= kFirstBuffer;
    const u32 thread = owner_of(step.thread) - 1u, word = step.position - 2;
    if (is_flush) perform(thread, true, word);
    while (!is_flush && state.next[thread] <= word) perform(thread, false, word);
  }
  return state;
}

}  // namespace plait
