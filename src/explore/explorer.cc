#include "explore/explorer.h"

namespace plait {
namespace {

/// Does the trace show everything that is visible, and will a schedule made from it fit?
bool is_whole(const Request& request, const RunView& run) {
  const bool all = (request.flags & request_flag::kAllEvents) && !(request.flags & request_flag::kEverything);
  const Reply& reply = *run.reply;
  return all && !run.outgrown && !reply.sharing_grew && !reply.guessed && reply.status != RunStatus::Diverged;
}

}  // namespace

bool Exploration::run(Runner& runner, const Visibility& given, const Batch& batch, const Runner::Consume& consume) {
  if (!options.races) return runner.run(batch, given, control.cancel_flag(), consume);
  return runner.run(batch, given, control.cancel_flag(), [&](u32 index, const RunView& run) {
    if (is_whole(batch.request(index), run)) races.look_at(options.memory, run.events);
    consume(index, run);
  });
}

void Exploration::show_races(Runner& runner, const Visibility& given) {
  const StopReason reason = control.reason();
  if (reason == StopReason::Bug || reason == StopReason::Interrupted) return;
  for (const std::string& possible : races.take_possible()) sink.not_complete(possible);
  Batch batch;
  for (const Schedule& steps : races.take()) {
    batch.clear();
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents;
    batch.add(request, merged(steps));
    bool shown = false;
    // The time may be over: they are few.
    const bool ran = runner.run(batch, given, control.abandon_flag(), [&](u32, const RunView& run) {
      shown = run.shows(FailureKind::Race);
      if (shown) sink.finished(FinishedRun{run, {}});
    });
    if (ran && !shown) sink.not_complete("a data race of a run did not show when it was run again");
    if (!ran || control.reason() == StopReason::Bug) return;
  }
}

bool explore(Explorer& explorer, Exploration& exploration) {
  for (;;) {
    exploration.refresh();
    exploration.races.clear();
    exploration.control.counters.interleavings.store(0);
    const Attempt attempt = explorer.attempt(exploration);
    if (attempt != Attempt::SharingGrew) exploration.show_races(exploration.crew.first(), exploration.visibility);
    if (attempt == Attempt::Complete) return true;
    if (attempt == Attempt::Stopped || exploration.control.stopped()) return false;
    exploration.control.counters.restarts.fetch_add(1);
    exploration.sink.restarted();
  }
}

}  // namespace plait
