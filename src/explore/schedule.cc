#include "explore/schedule.h"

#include <algorithm>

namespace plait {

namespace {

/// A store that did not wait in a buffer, but will when the schedule is followed.
Choice flush_after(const Event& event) { return {kChosenStep, buffer_of(event.thread), kIfBuffered, event.position}; }

}  // namespace

void append_steps(std::span<const Event> events, std::vector<Choice>& steps) {
  for (const Event& event : events) {
    if (event.flags & event_flag::kPoint) steps.push_back(step_of(event));
    if (event.flags & event_flag::kAtOnce) steps.push_back(flush_after(event));
  }
}

std::vector<Choice> exact_steps(std::span<const Event> events) {
  std::vector<Choice> steps;
  u32 next[kMaxThreads] = {};
  for (size_t i = events.size(); i-- > 0;) {
    const Event& event = events[i];
    if (is_note(event.op) || event.thread >= kMaxThreads) continue;
    if (event.op == Op::Flush) {
      steps.push_back(step_of(event));
      continue;
    }
    if (event.flags & event_flag::kPoint) {
      Choice step = step_of(event);
      u32 following = next[event.thread];
      if (event.flags & event_flag::kAtOnce) {
        if (following > event.position + 1) steps.push_back(Choice{kPlainStep, event.thread, 0, following - 1});
        steps.push_back(flush_after(event));
        steps.push_back(step);
      } else if (following > event.position + 1) {
        // Two entries when the step itself carries a choice: the choice belongs to its own position.
        steps.push_back(Choice{kPlainStep, event.thread, 0, following - 1});
        if (step.kind == kChosenStep) steps.push_back(step);
      } else {
        steps.push_back(step);
      }
    }
    next[event.thread] = event.position;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::vector<Choice> merged(std::span<const Choice> steps) {
  std::vector<Choice> result(steps.size());
  result.resize(merge_steps(steps, result.data()));
  return result;
}

}  // namespace plait
