// Maximal causality reduction (Huang, PLDI 2015, algorithms 1 to 3).
//
//   run the empty schedule
//   for each trace: look for races that follow from it; for each of its seeds (seeds.h): run the seed
//   no seed left: decide what is still missing over all that the traces have shown (complete_knowledge), so that the answer is complete
//
// Runs and seeds of different traces are independent of each other, so any number of workers do the same runs (algorithm 3).
// Deviations from the paper: commitments in place of frozen prefixes (seeds.h), and the last line. One trace alone cannot tell that a value
// can be read which only other traces write.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>

#include "explore/counted_solver.h"
#include "explore/helpers.h"
#include "explore/predict.h"
#include "explore/shared_bytes.h"
#include "explore/tally.h"
#include "knowledge/behaviour.h"

namespace plait {
namespace {

/// What all engine threads work on.
class Search {
 public:
  explicit Search(Exploration& exploration) : exploration_(exploration), control_(exploration.control) {}

  /// Seeds to run next; empty when nothing is left.
  std::vector<Seed> take() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    for (;;) {
      if (control_.stopped() || grew_ || !contradiction_.empty()) break;
      if (!queue_.empty()) {
        // Few at a time while there are few, so that a bug is found with few runs.
        const size_t most = std::clamp<size_t>(queue_.size() / 64, 1, 64);
        std::vector<Seed> seeds;
        for (; seeds.size() < most && !queue_.empty(); queue_.pop_front()) seeds.push_back(std::move(queue_.front()));
        --waiting_;
        return seeds;
      }
      if (waiting_ == members_) break;
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    changed_.notify_all();
    return {};
  }
  void join(u32 members) {
    std::lock_guard lock(mutex_);
    members_ += members;
  }
  void add(std::vector<Seed>&& seeds) {
    std::lock_guard lock(mutex_);
    for (Seed& seed : seeds) queue_.push_back(std::move(seed));
    changed_.notify_all();
  }
  size_t queued() {
    std::lock_guard lock(mutex_);
    return queue_.size();
  }
  template <class IsShared>
  void learn(const RunView& run, IsShared&& shared) {
    std::lock_guard lock(mutex_);
    if (!contradiction_.empty()) return;
    if (run.reply->unpredictable)
      contradiction_ = "threads share the position of a stream";
    else
      contradiction_ = knowledge_.learn(run.events, run.output, *run.reply, false, shared);
    control_.counters.histories.store(knowledge_.histories());
  }
  void sharing_grew() {
    std::lock_guard lock(mutex_);
    grew_ = true;
  }
  void contradict(const std::string& why) {
    std::lock_guard lock(mutex_);
    if (contradiction_.empty()) contradiction_ = why;
  }
  std::vector<PredictedRace> predict(const solve::CausalModel& model, solve::Solver& solver) {
    std::lock_guard lock(race_mutex_);
    return predictor_.predict(model, solver);
  }

  Exploration& exploration() { return exploration_; }
  bool has_grown() const { return grew_; }
  const std::string& contradiction() const { return contradiction_; }
  Behaviour& knowledge() { return knowledge_; }
  std::deque<Seed>& queue() { return queue_; }

 private:
  Exploration& exploration_;
  Control& control_;
  std::mutex mutex_, race_mutex_;
  std::condition_variable changed_;
  std::deque<Seed> queue_;
  Behaviour knowledge_;
  RacePredictor predictor_;
  std::string contradiction_;
  u32 members_ = 1, waiting_ = 0;
  bool grew_ = false;
};

/// One engine thread.
class Miner {
 public:
  Miner(Search& search, Worker& worker)
      : search_(search),
        exploration_(search.exploration()),
        control_(exploration_.control),
        worker_(worker),
        tally_(control_.counters),
        solver_(exploration_.options, control_.counters) {}

  /// The empty schedule, with everything recorded; what turns out to be shared is kept.
  void first_run() {
    if (control_.take(1) == 0) return;
    worker_.clear();
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents | request_flag::kEverything;
    worker_.add(request, {});
    worker_.run(control_.cancel_flag(), [&](u32, const RunView& run) {
      const SharedBytes shared(exploration_.session);
      auto counts = [&](u64 begin, u64 size) { return shared(begin, size); };
      report(run);
      search_.learn(run, counts);
      traces_.push_back({filtered(run.events, counts), {}});
    });
    tally_.flush();
    study();
  }

  /// False when there is nothing left; `at_most` runs are made before the caller may think again.
  bool work(u64 at_most) {
    for (u64 runs = 0; runs < at_most;) {
      std::vector<Seed> seeds = search_.take();
      if (seeds.empty()) return false;
      const u64 allowed = control_.take(seeds.size());
      if (allowed < seeds.size()) {
        std::vector<Seed> rest(std::make_move_iterator(seeds.begin() + static_cast<std::ptrdiff_t>(allowed)),
                               std::make_move_iterator(seeds.end()));
        seeds.resize(allowed);
        search_.add(std::move(rest));
      }
      if (!seeds.empty()) run(seeds);
      study();
      runs += allowed;
    }
    return true;
  }

  /// Runs that nobody counts: the limit is reached, but the trace says that a pointer can be null where it is read.
  void confirm_null_dereferences(const std::deque<Seed>& seeds) {
    for (const Seed& seed : seeds) {
      if (!seed.null) continue;
      confirm(seed.steps, FailureKind::NullDereference);
    }
  }

 private:
  struct Trace {
    std::vector<Event> events;
    Commitments commitments;
  };

  template <class Counts>
  static std::vector<Event> filtered(std::span<const Event> events, Counts&& counts) {
    // A wait is an operation on its mutex, too: either of the two makes both count.
    auto waits = [](const Event& event) { return event.op == Op::CondWait || event.op == Op::CondWake; };
    std::set<u64> mutexes;
    for (const Event& event : events)
      if (waits(event) && counts(event.location, 1)) mutexes.insert(event.operand);
    std::vector<Event> kept;
    bool keep = false;
    for (const Event& event : events) {
      if (event.op != Op::Extension)
        keep = !Behaviour::uses_bytes(event) || counts(event.location, Behaviour::bytes_of(event)) ||
               (waits(event) && counts(event.operand, 1)) || mutexes.contains(event.location);
      if (keep) kept.push_back(event);
    }
    return kept;
  }

  void report(const RunView& run) {
    tally_.add(*run.reply);
    if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
  }

  Request request() const {
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents;
    return request;
  }

  void run(const std::vector<Seed>& seeds) {
    for (size_t next = 0; next < seeds.size();) {
      worker_.clear();
      const size_t first = next;
      while (next < seeds.size() && worker_.add(request(), merged(seeds[next].steps))) ++next;
      worker_.run(control_.cancel_flag(), [&](u32 index, const RunView& run) {
        report(run);
        if (run.reply->sharing_grew) return search_.sharing_grew();
        const Seed& seed = seeds[first + index];
        search_.learn(run, [](u64, u64) { return true; });
        traces_.push_back({{run.events.begin(), run.events.end()}, seed.commitments});
        if (run.reply->status == RunStatus::Failed || run.reply->status == RunStatus::Limit) return;
        if (!is_followed(seed, solve::CausalModel(run.events)))
          search_.contradict("T" + std::to_string(seed.thread) + " did not receive what an earlier run predicts");
      });
      tally_.flush();
    }
  }

  /// Property checks and seeds of the new traces.
  void study() {
    for (const Trace& trace : std::exchange(traces_, {})) {
      if (search_.has_grown() || !search_.contradiction().empty() || control_.cancel_flag().load()) return;
      const solve::CausalModel model(trace.events);
      if (exploration_.options.races)
        for (const PredictedRace& race : search_.predict(model, solver_)) confirm(race.steps, FailureKind::Race);
      if (control_.stopped() && control_.reason() == StopReason::Bug) return;
      search_.add(seeds_of(model, trace.commitments, solver_));
    }
  }

  void confirm(const std::vector<Choice>& steps, FailureKind kind) {
    worker_.clear();
    worker_.add(request(), merged(steps));
    worker_.run(control_.cancel_flag(), [&](u32, const RunView& run) {
      if (run.reply->status == RunStatus::Failed && run.reply->failure.kind == kind) exploration_.sink.finished(FinishedRun{run, {}});
    });
  }

  Search& search_;
  Exploration& exploration_;
  Control& control_;
  Worker& worker_;
  Tally tally_;
  CountedSolver solver_;
  std::vector<Trace> traces_;
};

class McrExplorer : public Explorer {
 public:
  bool explore(Exploration& exploration, Worker& first) override {
    for (;;) {
      Search search(exploration);
      mine(search, first);
      if (search.has_grown()) {
        exploration.control.counters.restarts.fetch_add(1);
        exploration.sink.restarted();
        if (exploration.control.stopped()) return false;
        continue;
      }
      if (exploration.control.stopped()) return false;
      if (!search.contradiction().empty()) return run_every_interleaving(exploration, first, search.contradiction());
      if (const u64 unknown = exploration.control.counters.unknown)
        exploration.sink.not_complete("solver: " + std::to_string(unknown) +
                                      (unknown == 1 ? " query was" : " queries were") + " given up (--solver-timeout)");
      return complete_knowledge(exploration, first, std::move(search.knowledge()));
    }
  }

 private:
  void mine(Search& search, Worker& first) {
    Exploration& exploration = search.exploration();
    Helpers helpers(exploration, [&](Worker& worker) { Miner(search, worker).work(~u64{0}); });
    helpers.join([&] {
      Miner miner(search, first);
      miner.first_run();
      const u32 more = exploration.options.jobs - 1;
      bool left = miner.work(64);
      if (left && more > 0) {
        search.join(more);
        helpers.start(more);
      }
      if (left) miner.work(~u64{0});
      if (exploration.control.reason() == StopReason::MaxExecutions) miner.confirm_null_dereferences(search.queue());
    });
  }
};

}  // namespace

std::unique_ptr<Explorer> make_mcr() { return std::make_unique<McrExplorer>(); }

}  // namespace plait
