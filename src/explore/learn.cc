#include "explore/explorer.h"
#include "explore/tally.h"

namespace plait {
namespace {

constexpr u32 kRandomRuns = 16;
constexpr u32 kMostRounds = 64;  // sharing can only grow, but a program that allocates without end could do so for long

}  // namespace

std::vector<Choice> FinishedRun::steps() const {
  if (view.reply->sharing_grew) return exact_steps(view.events);
  std::vector<Choice> all(prefix.begin(), prefix.end());
  append_steps(view.events, all);
  return all;
}

void learn_sharing(Exploration& exploration, Worker& worker) {
  Tally tally(exploration.control.counters);
  u64 seed = exploration.options.seed;
  for (u32 round = 0; round < kMostRounds; ++round) {
    u32 wanted = round == 0 ? 1 : kRandomRuns;
    u32 allowed = static_cast<u32>(exploration.control.take(wanted));
    if (allowed == 0) return;
    worker.clear();
    for (u32 i = 0; i < allowed; ++i) {
      Request request{};
      request.tail = round == 0 ? Tail::First : Tail::Random;
      request.seed = seed++;
      request.flags = request_flag::kAllEvents;
      worker.add(request, {});
    }
    bool grew = round == 0;  // the first run alone says nothing
    worker.run(exploration.control.cancel_flag(), [&](u32, const RunView& run) {
      tally.add(*run.reply);
      grew |= run.reply->sharing_grew != 0;
      if (run.reply->status != RunStatus::Complete)
        exploration.sink.finished(FinishedRun{run, {}});
    });
    tally.flush();
    if (!grew || exploration.control.stopped()) return;
  }
}

}  // namespace plait
