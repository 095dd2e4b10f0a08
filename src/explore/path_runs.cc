#include "explore/path_runs.h"

namespace plait {

Attempt PathRuns::run(const std::vector<Choice>& steps, Tail tail, const SleepSet& sleep,
                      const std::function<void(const RunView&)>& consume) {
  if (control_.take(1) == 0) return Attempt::Stopped;
  batch_.clear();
  Request request{};
  request.tail = tail;
  request.sleep = sleep.threads;
  request.flags = request_flag::kAllEvents;
  std::vector<Choice> schedule = merged(steps);
  schedule.insert(schedule.end(), sleep.stores.begin(), sleep.stores.end());
  batch_.add(request, schedule);
  bool grew = false;
  const bool all = exploration_.run(exploration_.crew.first(), batch_, [&](u32, const RunView& run) {
    grew = run.outgrown;
    tally_.add(*run.reply);
    if (run.reply->status != RunStatus::Complete || exploration_.sink.wants_complete_runs())
      exploration_.sink.finished(FinishedRun{run, {}});
    if (!grew) consume(run);
  });
  tally_.flush();
  if (!all || control_.stopped()) return Attempt::Stopped;
  return grew ? Attempt::SharingGrew : Attempt::Complete;
}

}  // namespace plait
