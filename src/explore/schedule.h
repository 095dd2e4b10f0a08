// Schedules as explorers build them.
//
// A *step* is one scheduling point that was taken: thread, position and arg of a kPoint event (free steps follow by
// themselves and are not named). A schedule is the steps with neighbours of one thread merged, because "run until
// position p2" includes "run until p1".
#pragma once
#include <concepts>
#include <span>
#include <vector>

#include "machine/traits.h"
#include "run/batch.h"

namespace plait {

/// Does this operation choose among several results by `arg`, the possible ones being the set `extra`?
inline bool has_choices(const Event& event) { return machine::traits(event.op).chooses && event.extra != 0; }

// A step's arg was a choice: kept apart from plain arg 0, since such a step must end a schedule entry.
inline constexpr Choice::Kind kPlainStep = Choice::Run;
inline constexpr Choice::Kind kChosenStep = static_cast<Choice::Kind>(0x80);

inline Choice step_of(const Event& event) {
  if (event.op == Op::Flush)
    return Choice{kChosenStep, event.thread, 0, event.position};  // its position says which store
  bool chosen = has_choices(event);
  return Choice{chosen ? kChosenStep : kPlainStep, event.thread, chosen ? event.arg : u16{0}, event.position};
}

/// Writes the schedule for these steps to `to` (room for steps.size()); returns the number of entries.
inline u32 merge_steps(std::span<const Choice> steps, Choice* to) {
  u32 used = 0;
  bool open = false;  // may the last entry be extended?
  for (const Choice& step : steps) {
    if (!open || to[used - 1].thread != step.thread || step.position == kNextPoint) ++used;
    to[used - 1] = Choice{Choice::Run, step.thread, step.arg, step.position};
    open = step.kind == kPlainStep;
  }
  return used;
}

/// The scheduling points among `events`, appended to `steps`.
void append_steps(std::span<const Event> events, std::vector<Choice>& steps);

/// The same for a run that discovered shared bytes: its threads went on silently over accesses that are visible now, so
/// each step reaches to just before the thread's next event.
std::vector<Choice> exact_steps(std::span<const Event> events);

std::vector<Choice> merged(std::span<const Choice> steps);
template <std::same_as<Schedule> Steps>  // a list in braces means the other one
Schedule merged(const Steps& steps) {
  return {merged(std::span(steps.choices)), steps.claim};
}

}  // namespace plait
