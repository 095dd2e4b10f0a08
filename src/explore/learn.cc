#include "explore/batch_size.h"
#include "explore/explorer.h"
#include "explore/tally.h"

namespace plait {
namespace {

constexpr u32 kRandomRuns = 16;
constexpr u32 kMostRounds = 64;  // sharing can only grow, but a program that allocates without end could do so for long

}  // namespace

Schedule FinishedRun::schedule() const {
  std::vector<Choice> all(prefix.begin(), prefix.end());
  if (view.reply->sharing_grew) {
    std::vector<Choice> exact = exact_steps(view.events);
    all.insert(all.end(), exact.begin(), exact.end());
  } else {
    append_steps(view.events, all);
  }
  const Reply& reply = *view.reply;
  if (until != kNoThread)
    all.push_back({kChosenStep, until, 0, kNextPoint});  // a schedule that others' failures do not end
  if (reply.status != RunStatus::Failed) return {std::move(all)};
  if (reply.failure.claim.kind == Claim::Endless)  // the turns that have shown it are no part of the way
    all.resize(std::min<size_t>(all.size(), reply.failure.claimed_at));
  return {std::move(all), reply.failure.claim};
}

void learn_sharing_at_once(Exploration& exploration) {
  Tally tally(exploration.control.counters);
  if (exploration.control.take(1) == 0) return;
  Batch batch;
  Request request{};
  request.tail = Tail::First;
  request.flags = request_flag::kAllEvents | request_flag::kEverything;
  batch.add(request, {});
  exploration.run(exploration.crew.first(), batch, [&](u32, const RunView& run) {
    if (run.reply->status == RunStatus::Limit) {  // its steps are finer than those of the exploration: no limit of that
      exploration.control.counters.executions.fetch_add(1);
      return;
    }
    tally.add(*run.reply);
    // Under TSO and PSO stores that were not known to be shared went to memory at once: the schedule would not repeat
    // it. The exploration will find it again.
    const bool is_repeatable = !exploration.options.memory.buffers;
    if (is_repeatable && run.reply->status != RunStatus::Complete) exploration.sink.finished(FinishedRun{run, {}});
  });
  tally.flush();
}

void learn_sharing(Exploration& exploration) {
  Tally tally(exploration.control.counters);
  BatchSize size;
  Batch batch;
  u64 seed = exploration.options.seed;
  bool first = true;
  // Rounds of random runs until one brings nothing new; a round may take several batches.
  for (u32 left = 1, round = 0; round < kMostRounds;) {
    u32 allowed = static_cast<u32>(exploration.control.take(std::min(left, size.get())));
    if (allowed == 0) return;
    left -= allowed;
    batch.clear();
    for (u32 i = 0; i < allowed; ++i) {
      Request request{};
      request.tail = first ? Tail::First : Tail::Random;
      request.seed = seed++;
      request.flags = request_flag::kAllEvents;
      batch.add(request, {});
    }
    bool grew = false;
    size.begin();
    exploration.run(exploration.crew.first(), batch, [&](u32, const RunView& run) {
      tally.add(*run.reply);
      grew |= run.outgrown;
      if (run.reply->status != RunStatus::Complete) exploration.sink.finished(FinishedRun{run, {}});
    });
    size.end();
    exploration.refresh();
    tally.flush();
    if (exploration.control.stopped()) return;
    if (first || grew) {
      first = false;
      left = kRandomRuns;
      ++round;
    } else if (left == 0) {
      return;
    }
  }
}

}  // namespace plait
