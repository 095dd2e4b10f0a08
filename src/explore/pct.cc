// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
// probabilistic guarantees of finding bugs, ASPLOS 2010). The runtime follows the priorities (Tail::Pct); here: how
// long runs are, and one seed per run. A bug of depth d in a program of n threads and k steps shows in a run with
// probability 1/(n k^(d-1)) at least. Never complete.
#include <algorithm>

#include "explore/batch_size.h"
#include "explore/explorer.h"
#include "explore/tally.h"

namespace plait {
namespace {

class PctExplorer : public Explorer {
 public:
  bool explore(Exploration& exploration, Worker& worker) override {
    Control& control = exploration.control;
    Tally tally(control.counters);
    BatchSize batch;
    u32 length = 0;
    for (u64 begin = 0; begin < exploration.options.random_runs && !control.stopped();) {
      const u64 allowed =
          control.take(std::min<u64>(begin == 0 ? 1 : batch.get(), exploration.options.random_runs - begin));
      if (allowed == 0) break;
      worker.clear();
      for (u64 i = 0; i < allowed; ++i) {
        Request request{};
        request.tail = Tail::Pct;
        request.seed = exploration.options.seed * 0x100000001b3 + begin + i;
        request.change_points = static_cast<u8>(exploration.options.pct_depth - 1);
        request.length = length;
        request.flags = request_flag::kAllEvents;
        worker.add(request, {});
      }
      batch.begin();
      worker.run(control.cancel_flag(), [&](u32, const RunView& run) {
        tally.add(*run.reply);
        length = std::max(length, run.reply->points);
        if (run.reply->status != RunStatus::Complete || exploration.sink.wants_complete_runs())
          exploration.sink.finished(FinishedRun{run, {}});
      });
      batch.end();
      tally.flush();
      begin += allowed;
    }
    return false;
  }
};

}  // namespace

std::unique_ptr<Explorer> make_pct() { return std::make_unique<PctExplorer>(); }

}  // namespace plait
