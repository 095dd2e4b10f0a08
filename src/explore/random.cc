// Random exploration: each run follows a scheduler that picks uniformly among the enabled threads, seeded by the run's
// number. Never complete: a run that fails is a bug, no failing run says nothing.
#include <algorithm>

#include "explore/batch_size.h"
#include "explore/explorer.h"
#include "explore/part_bytes.h"
#include "explore/parts.h"
#include "explore/self_check.h"
#include "explore/tally.h"

namespace plait {
namespace {

/// A bijection that spreads neighbouring numbers (splitmix64's last rounds).
u64 spread(u64 x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The runs with these numbers.
class RandomRuns {
 public:
  RandomRuns(u64 begin, u64 end) : end_(end), next_(begin) {}
  /// The number of the first that was not made.
  u64 left() const { return std::min(next_.load(), end_); }

  /// With other threads, until none is left or the clock (which may be null) says so.
  void work(Exploration& exploration, Runner& runner, const PartClock* clock = nullptr) {
    Control& control = exploration.control;
    Tally tally(control.counters);
    SelfCheck self_check;
    BatchSize batch_size;
    Batch batch;
    Visibility visibility = exploration.visibility;
    while (!control.stopped() && !(clock && clock->over())) {
      u64 size = batch_size.get();
      u64 begin = next_.fetch_add(size);
      if (begin >= end_) return;
      u64 allowed = control.take(std::min<u64>(size, end_ - begin));
      if (allowed < std::min<u64>(size, end_ - begin) && clock) next_.store(begin + allowed);
      if (allowed == 0) return;
      batch.clear();
      for (u64 i = 0; i < allowed; ++i) {
        Request request{};
        request.tail = Tail::Random;
        request.seed = spread(exploration.options.seed * 0x100000001b3 + begin + i);
        request.flags = request_flag::kAllEvents;
        batch.add(request, {});
      }
      batch_size.begin();
      bool grew = false;
      exploration.run(runner, visibility, batch, [&](u32, const RunView& run) {
        grew |= run.outgrown;
        tally.add(*run.reply);
        if (exploration.options.self_check) self_check.remember(run);
        if (run.reply->status != RunStatus::Complete || exploration.sink.wants_complete_runs())
          exploration.sink.finished(FinishedRun{run, {}});
      });
      batch_size.end();
      tally.flush();
      exploration.show_races(runner, visibility);
      if (grew) visibility = exploration.runners.visibility();
      if (exploration.options.self_check) self_check.verify(runner, exploration);
    }
  }

  const u64 end_;
  std::atomic<u64> next_;
};

class RandomExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    u64 batches = (exploration.options.random_runs + kBatch - 1) / kBatch;
    u64 threads = std::min<u64>(exploration.options.jobs, batches);
    RandomRuns runs(0, exploration.options.random_runs);
    exploration.crew.work(static_cast<u32>(threads), [&](u32, Runner& runner) { runs.work(exploration, runner); });
    return Attempt::Stopped;
  }
};

}  // namespace

Attempt explore_random_part(Exploration& exploration, const std::string& part, const PartBudget& budget,
                            std::string& outcome) {
  auto range = PartReader(part).value<SeedRange>();
  const PartClock clock(budget);
  RandomRuns runs(range.begin, range.end);
  runs.work(exploration, exploration.crew.first(), &clock);
  range.begin = runs.left();
  PartWriter writer;
  writer.value(range);
  outcome = writer.take();
  return Attempt::Complete;
}

std::unique_ptr<Explorer> make_random() { return std::make_unique<RandomExplorer>(); }

}  // namespace plait
