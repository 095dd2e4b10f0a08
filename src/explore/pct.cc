// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
// probabilistic guarantees of finding bugs, ASPLOS 2010). The runtime follows the priorities (Tail::Pct); here: how
// long runs are, and one seed per run. A bug of depth d in a program of n threads and k steps shows in a run with
// probability 1/(n k^(d-1)) at least. Never complete.
//
// The length comes from the first runs, and is fixed from then on: so a run depends on its number only, and any number
// of workers makes the same ones.
#include <algorithm>

#include "explore/batch_size.h"
#include "explore/explorer.h"
#include "explore/part_bytes.h"
#include "explore/parts.h"
#include "explore/tally.h"

namespace plait {
namespace {

constexpr u64 kMeasuringRuns[] = {1, 8, 16};  // each group has the length that the ones before it have shown
static_assert(kMeasuringRuns[0] + kMeasuringRuns[1] + kMeasuringRuns[2] == kMeasuringSeeds);

class Pct {
 public:
  explicit Pct(Exploration& exploration)
      : exploration_(exploration), control_(exploration.control), runs_(exploration.options.random_runs) {}

  /// The runs with these numbers, of this length.
  Pct(Exploration& exploration, const SeedRange& range)
      : exploration_(exploration),
        control_(exploration.control),
        runs_(range.end),
        length_(range.length),
        next_(range.begin) {}

  /// The length of runs, from the first ones.
  u32 measure() {
    for (const u64 runs : kMeasuringRuns) measure(runs);
    return length_;
  }
  /// Until the clock says so. The number of the first run that was not made.
  u64 work_until(const PartClock& clock) {
    work(exploration_.crew.first(), &clock);
    return std::min(next_.load(), runs_);
  }

  void explore() {
    measure();
    if (control_.stopped() || next_ >= runs_) return;
    const u64 batches = (runs_ - next_ - 1) / kBatch + 1;
    const u64 threads = std::min<u64>(exploration_.options.jobs, batches);
    exploration_.crew.work(static_cast<u32>(threads), [&](u32, Runner& runner) { work(runner); });
  }

 private:
  void measure(u64 wanted) {
    Tally tally(control_.counters);
    const u64 begin = next_.load();
    const u64 allowed = control_.stopped() ? 0 : control_.take(std::min(wanted, runs_ - std::min(begin, runs_)));
    next_ += allowed;
    if (allowed)
      length_ = std::max(length_, run(exploration_.crew.first(), exploration_.visibility, tally, begin, allowed));
  }

  void work(Runner& runner, const PartClock* clock = nullptr) {
    Tally tally(control_.counters);
    BatchSize batch;
    Visibility visibility = exploration_.visibility;
    while (!control_.stopped() && !(clock && clock->over())) {
      const u64 size = batch.get();
      const u64 begin = next_.fetch_add(size);
      if (begin >= runs_) return;
      const u64 wanted = std::min(size, runs_ - begin), allowed = control_.take(wanted);
      if (allowed < wanted && clock) next_.store(begin + allowed);
      if (allowed == 0) return;
      batch.begin();
      run(runner, visibility, tally, begin, allowed);
      batch.end();
    }
  }

  /// Returns the length of the longest run.
  u32 run(Runner& runner, Visibility& visibility, Tally& tally, u64 begin, u64 count) {
    Batch batch;
    for (u64 i = 0; i < count; ++i) {
      Request request{};
      request.tail = Tail::Pct;
      request.seed = exploration_.options.seed * 0x100000001b3 + begin + i;
      request.change_points = static_cast<u8>(exploration_.options.pct_depth - 1);
      request.length = length_;
      request.flags = request_flag::kAllEvents;
      batch.add(request, {});
    }
    u32 longest = 0;
    bool grew = false;
    exploration_.run(runner, visibility, batch, [&](u32, const RunView& run) {
      grew |= run.outgrown;
      tally.add(*run.reply);
      longest = std::max(longest, run.reply->points);
      if (run.reply->status != RunStatus::Complete || exploration_.sink.wants_complete_runs())
        exploration_.sink.finished(FinishedRun{run, {}});
    });
    tally.flush();
    exploration_.show_races(runner, visibility);
    if (grew) visibility = exploration_.runners.visibility();
    return longest;
  }

  Exploration& exploration_;
  Control& control_;
  const u64 runs_;
  u32 length_ = 0;
  std::atomic<u64> next_{0};
};

class PctExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    Pct(exploration).explore();
    return Attempt::Stopped;
  }
};

}  // namespace

Attempt explore_pct_part(Exploration& exploration, const std::string& part, const PartBudget& budget,
                         std::string& outcome) {
  PartWriter writer;
  if (part.empty()) {
    writer.value(SeedRange{0, 0, Pct(exploration).measure()});
  } else {
    auto range = PartReader(part).value<SeedRange>();
    range.begin = Pct(exploration, range).work_until(PartClock(budget));
    writer.value(range);
  }
  outcome = writer.take();
  return Attempt::Complete;
}

std::unique_ptr<Explorer> make_pct() { return std::make_unique<PctExplorer>(); }

}  // namespace plait
