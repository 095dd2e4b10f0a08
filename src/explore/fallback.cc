// When prediction fails: code that was not compiled with the wrapper changes what others see, or reads it. Running
// works where predicting does not.
//
// The runtime knows where such code runs (event_flag::kUnseen). So its steps are taken to conflict with everything, all
// others with what they touch, and every order of what conflicts is run (dpor). If threads then do what that code does
// not explain, something hides that nobody knows of: every interleaving is run.
#include <fmt/format.h>

#include <algorithm>

#include "explore/explorer.h"
#include "knowledge/marks.h"

namespace plait {

std::string what_is_unseen(std::span<const Event> events) {
  const auto call =
      std::find_if(events.begin(), events.end(), [](const Event& event) { return event.op == Op::Input; });
  if (call == events.end()) return "threads share something that traces do not show (a descriptor, the last thread)";
  return fmt::format("at {} a library's function works on {}, which threads share, and nobody sees what it does there",
                     place_mark(call->site), memory_mark(call->location));
}

bool shows_unseen_code(const RunView& run) {
  return run.reply->unpredictable == Unpredictable::ByUnseenCode ||
         std::any_of(run.events.begin(), run.events.end(),
                     [](const Event& event) { return (event.flags & event_flag::kUnseen) != 0; });
}

Attempt run_without_prediction(Exploration& exploration, const Fallback& fallback) {
  exploration.sink.falls_back(fallback);
  exploration.sink.restarted();
  learn_sharing(exploration);
  if (exploration.control.stopped()) return Attempt::Stopped;
  if (!fallback.every_interleaving) {
    std::string contradiction;
    if (explore(*make_dpor_around_unseen(contradiction), exploration)) return Attempt::Complete;
    if (contradiction.empty()) return Attempt::Stopped;
    exploration.sink.falls_back({fallback.why + "; " + contradiction, true});
    exploration.sink.restarted();
  }
  return explore(*make_exhaustive(), exploration) ? Attempt::Complete : Attempt::Stopped;
}

}  // namespace plait
