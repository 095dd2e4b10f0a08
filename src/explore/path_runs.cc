#include "explore/path_runs.h"

namespace plait {

PathRuns::Outcome PathRuns::run(const std::vector<Choice>& steps, Tail tail, const SleepSet& sleep,
                                const std::function<void(const RunView&)>& consume) {
  if (control_.take(1) == 0) return Outcome::Stopped;
  worker_.clear();
  Request request{};
  request.tail = tail;
  request.sleep = sleep.threads;
  request.flags = request_flag::kAllEvents;
  std::vector<Choice> schedule = merged(steps);
  schedule.insert(schedule.end(), sleep.stores.begin(), sleep.stores.end());
  worker_.add(request, schedule);
  bool grew = false;
  const bool all = worker_.run(control_.cancel_flag(), [&](u32, const RunView& run) {
    grew = run.reply->sharing_grew != 0;
    tally_.add(*run.reply);
    if (run.reply->status != RunStatus::Complete || exploration_.sink.wants_complete_runs())
      exploration_.sink.finished(FinishedRun{run, {}});
    if (!grew) consume(run);
  });
  tally_.flush();
  if (!all || control_.stopped()) return Outcome::Stopped;
  return grew ? Outcome::SharingGrew : Outcome::Finished;
}

void PathRuns::begin_again() {
  control_.counters.interleavings.store(0);
  control_.counters.restarts.fetch_add(1);
  exploration_.sink.restarted();
}

}  // namespace plait
