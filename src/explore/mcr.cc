// Maximal causality reduction (Huang, PLDI 2015, algorithms 1 to 3).
//
//   run the empty schedule
//   for each trace: look for races that follow from it; for each of its seeds (seeds.h): run the seed
//   no seed left: decide what is still missing over all that the traces have shown (complete_knowledge), so that the
//   answer is complete
//
// Runs and seeds of different traces are independent of each other, so any number of workers do the same runs
// (algorithm 3). Deviations from the paper: commitments in place of frozen prefixes (seeds.h), and the last line. One
// trace alone cannot tell that a value can be read which only other traces write.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <unordered_set>

#include "depend/relation.h"
#include "explore/album.h"
#include "explore/counted_solver.h"
#include "explore/explorer.h"
#include "explore/predict.h"
#include "explore/shared_bytes.h"
#include "explore/tally.h"

namespace plait {
namespace {

/// An access is one thing: where some of its bytes are shared, all must be (runtime/shadow.cc, share_rest). A run makes
/// them so; a picture of an earlier one cannot, and has to be run again.
bool fits(std::span<const Event> events, const SharedBytes& shared) {
  return std::all_of(events.begin(), events.end(), [&](const Event& event) {
    return !machine::is_access(event.op) || event.size == 0 || !shared(event.location, event.size) ||
           shared.has_all(event.location, event.size);
  });
}

/// What all engine threads work on.
class Search {
 public:
  Search(Exploration& exploration, Album& album)
      : exploration_(exploration),
        control_(exploration.control),
        album_(album),
        knowledge_(exploration.options.memory) {
    const SharedBytes shared(exploration.visibility);
    for (const auto& picture : album.pictures())
      if (fits(picture->events, shared)) old_.push_back({picture, model_of(shared_events(picture->events, shared))});
  }

  /// A run from before more memory turned out to be shared.
  struct Old {
    std::shared_ptr<const Album::Picture> picture;
    std::shared_ptr<const solve::CausalModel> model;
  };
  const std::vector<Old>& old() const { return old_; }
  const Old* find_old(const Seed& seed) const {
    for (const Old& old : old_)
      if (keeps(seed, *old.model)) return &old;
    return nullptr;
  }
  Album& album() { return album_; }

  /// Seeds to run next; empty when nothing is left.
  std::vector<Seed> take() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    for (;;) {
      if (control_.stopped() || is_over()) break;
      drop_known();
      if (!seeds_.empty()) {
        // Few at a time while there are few, so that a bug is found with few runs.
        const size_t most = std::clamp<size_t>(seeds_.size() / 64, 1, 64);
        std::vector<Seed> seeds;
        for (; seeds.size() < most && !seeds_.empty(); drop_known()) {
          seeds.push_back(std::move(seeds_.back()));
          seeds_.pop_back();
        }
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
    for (Seed& seed : seeds) seeds_.push_back(std::move(seed));
    changed_.notify_all();
  }
  /// What this trace shows is not new any more.
  void note(const solve::CausalModel& model) {
    std::lock_guard lock(mutex_);
    for (const u64 history : histories_of(model)) histories_.insert(history);
  }
  template <class IsShared>
  void learn(const RunView& run, IsShared&& shared) {
    std::lock_guard lock(mutex_);
    if (contradicted_) return;
    unseen_code_ |= shows_unseen_code(run);
    if (run.reply->unpredictable != Unpredictable::No)
      contradiction_ = what_is_unseen(run.events);
    else
      contradiction_ = knowledge_.learn(run.events, run.output, run.failures(), merges(), shared);
    contradicted_ = !contradiction_.empty();
    unseen_code_ &= run.reply->unpredictable != Unpredictable::Unexplained;
    control_.counters.histories.store(knowledge_.histories());
  }
  void sharing_grew() { grew_ = true; }
  void contradict(const std::string& why) {
    std::lock_guard lock(mutex_);
    if (contradiction_.empty()) contradiction_ = why;
    contradicted_ = true;
  }
  std::vector<PredictedRace> predict(const solve::CausalModel& model, solve::Solver& solver) {
    std::lock_guard lock(race_mutex_);
    return predictor_.predict(model, solver);
  }

  /// What counts of a run that recorded everything.
  std::vector<Event> shared_events(std::span<const Event> events, const SharedBytes& shared) const {
    std::vector<Event> kept;
    filter_trace(events, memory(), Flushes::Keep, shared, kept);
    return kept;
  }

  std::shared_ptr<const solve::CausalModel> model_of(std::span<const Event> events) const {
    auto model = std::make_shared<solve::CausalModel>(events, memory());
    if (const depend::Relation* relation = exploration_.options.dependence.get()) model->depend(relation->of(*model));
    return model;
  }

  Exploration& exploration() { return exploration_; }
  const machine::MemoryRules& memory() const { return exploration_.options.memory; }
  /// Are histories after which a thread is in the same state one? As complete_knowledge has it.
  bool merges() const { return exploration_.options.merge && !exploration_.options.classes; }
  bool has_grown() const { return grew_; }
  /// What was found so far cannot be used.
  bool is_over() const { return grew_ || contradicted_; }
  const std::string& contradiction() const { return contradiction_; }
  Fallback fallback() const { return {contradiction_, !unseen_code_}; }
  Behaviour& knowledge() { return knowledge_; }
  const std::deque<Seed>& seeds() const { return seeds_; }

 private:
  /// A seed must show its thread something new (000 §3.4: at least one new event). A run since may have shown it; were
  /// it only that two hashes are equal, complete knowledge would still find out.
  void drop_known() {
    while (!seeds_.empty() && histories_.contains(seeds_.back().history)) seeds_.pop_back();
  }

  Exploration& exploration_;
  Control& control_;
  Album& album_;
  std::vector<Old> old_;
  std::mutex mutex_, race_mutex_;
  std::condition_variable changed_;
  std::deque<Seed> seeds_;  // the last ones go first: they change what a run did last, where most checks are
  std::unordered_set<u64> histories_;
  Behaviour knowledge_;
  RacePredictor predictor_;
  std::string contradiction_;
  bool unseen_code_ = false;  // is known to run, and may explain it
  u32 members_ = 1, waiting_ = 0;
  std::atomic<bool> grew_{false}, contradicted_{false};
};

/// Predicted failures that are tried when no more runs are allowed.
constexpr u32 kMostConfirmations = 1000;

/// What one member of the crew does: takes a seed, runs it, looks for new seeds in its trace.
class Member {
 public:
  Member(Search& search, Runner& runner)
      : search_(search),
        exploration_(search.exploration()),
        control_(exploration_.control),
        runner_(runner),
        tally_(control_.counters),
        solver_(exploration_.options, control_.counters) {}

  /// The empty schedule. What turns out to be shared in it is kept.
  void first_run() {
    if (!search_.old().empty()) {
      for (const Search::Old& old : search_.old())
        search_.learn(old.picture->view(), SharedBytes(exploration_.visibility));
      reuse(search_.old().front(), {});
    } else if (control_.take(1) != 0) {
      const bool is_weak = search_.memory().buffers;
      batch_.clear();
      Request everything = request();
      everything.flags |= request_flag::kEverything;
      batch_.add(everything, {});
      exploration_.run(runner_, batch_, [&](u32, const RunView& run) {
        report(run);
        // A store that should have waited did not, and others did: not what the memory model says.
        if (run.reply->sharing_grew || (is_weak && run.reply->status == RunStatus::Stopped)) search_.sharing_grew();
        search_.album().add(run);
        exploration_.refresh();
        keep(run, {});
      });
      tally_.flush();
    }
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

  /// Runs that nobody counts: the limit is reached, but the traces say what else can be read. A pointer that can be
  /// null may be dereferenced; any value may break an assertion over it. Assertions are machine code, so the reading
  /// thread goes on alone, as far as it got in the trace, and decides them itself; what others would do then is not
  /// looked at.
  void confirm_failures(const std::deque<Seed>& seeds) {
    const bool all = exploration_.options.keep_going;
    for (auto seed = seeds.rbegin(); seed != seeds.rend(); ++seed)
      if (seed->null && confirm({seed->steps}, FailureKind::NullDereference) && !all) return;
    u32 left = kMostConfirmations;
    for (auto seed = seeds.rbegin(); seed != seeds.rend() && left > 0; ++seed, --left) {
      std::vector<Choice> steps = seed->steps;
      const solve::CausalModel& model = *seed->model;
      steps.push_back({kPlainStep, seed->thread, 0, model.step(seed->thread, model.length(seed->thread) - 1).position});
      if (confirm({std::move(steps)}, FailureKind::Assertion, Tail::Stop) && !all) return;
    }
  }

 private:
  struct Trace {
    std::shared_ptr<const solve::CausalModel> model;
    Commitments commitments;
  };

  /// A run that recorded everything: what counts of it.
  void keep(const RunView& run, const Commitments& commitments) {
    const SharedBytes shared(exploration_.visibility);
    search_.learn(run, shared);
    traces_.push_back({search_.model_of(search_.shared_events(run.events, shared)), commitments});
  }

  void reuse(const Search::Old& old, const Commitments& commitments) {
    const RunView run = old.picture->view();
    if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
    traces_.push_back({old.model, commitments});
  }

  void report(const RunView& run) {
    tally_.add(*run.reply);
    if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
  }

  Request request() const {
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents | (search_.merges() ? request_flag::kStates : 0);
    return request;
  }

  void run(const std::vector<Seed>& seeds) {
    for (size_t next = 0; next < seeds.size();) {
      batch_.clear();
      std::vector<const Seed*> sent;
      const bool everything = search_.album().wants_more();
      for (; next < seeds.size(); ++next) {
        if (const Search::Old* old = search_.find_old(seeds[next])) {
          reuse(*old, seeds[next].commitments);
          control_.give_back(1);
          continue;
        }
        Request asked = request();
        if (everything) asked.flags |= request_flag::kEverything;
        if (!batch_.add(asked, merged(seeds[next].steps))) break;
        sent.push_back(&seeds[next]);
      }
      exploration_.run(runner_, batch_, [&](u32 index, const RunView& run) {
        if (everything && run.reply->status == RunStatus::Limit) {  // too long with everything in it: once more without
          search_.album().close();
          control_.counters.executions.fetch_add(1);
          search_.add({*sent[index]});
          return;
        }
        if (run.reply->status == RunStatus::Diverged && run.outgrown) {  // its schedule was made before
          control_.counters.executions.fetch_add(1);
          return search_.sharing_grew();
        }
        // Some stores did not wait though others did, which no memory model allows. What fails will fail again.
        if (search_.memory().buffers && run.outgrown) {
          tally_.add(*run.reply);
          return search_.sharing_grew();
        }
        report(run);
        if (everything) search_.album().add(run);
        if (run.outgrown) return search_.sharing_grew();
        finished(*sent[index], run, everything);
      });
      tally_.flush();
    }
  }

  void finished(const Seed& seed, const RunView& run, bool everything) {
    if (everything) {
      keep(run, seed.commitments);
    } else {
      search_.learn(run, [](u64, u64) { return true; });
      traces_.push_back({search_.model_of(run.events), seed.commitments});
    }
    const RunStatus status = run.reply->status;
    if (status != RunStatus::Failed && status != RunStatus::Limit && !keeps(seed, *traces_.back().model))
      search_.contradict("T" + std::to_string(seed.thread) + " did not receive what an earlier run predicts");
  }

  /// Property checks and seeds of the new traces.
  void study() {
    for (const Trace& trace : std::exchange(traces_, {})) {
      if (search_.is_over() || control_.cancel_flag().load()) return;
      if (exploration_.options.races)
        for (const PredictedRace& race : search_.predict(*trace.model, solver_)) confirm(race.steps, FailureKind::Race);
      if (control_.stopped() && control_.reason() == StopReason::Bug) return;
      search_.note(*trace.model);
      search_.add(seeds_of(trace.model, trace.commitments, search_.merges(), solver_, control_.cancel_flag(),
                           exploration_.options.keeps_before ? Before::Keep : Before::IfNeeded));
    }
  }

  bool confirm(const Schedule& steps, FailureKind kind, Tail tail = Tail::First) {
    bool confirmed = false;
    Request asked = request();
    asked.tail = tail;
    batch_.clear();
    batch_.add(asked, merged(steps));
    exploration_.run(runner_, batch_, [&](u32, const RunView& run) {
      if (!run.shows(kind)) return;
      confirmed = true;
      exploration_.sink.finished(FinishedRun{run, {}});
    });
    return confirmed;
  }

  Search& search_;
  Exploration& exploration_;
  Control& control_;
  Runner& runner_;
  Batch batch_;
  Tally tally_;
  CountedSolver solver_;
  std::vector<Trace> traces_;
};

class McrExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    // Recorded stores to bytes that turn out to be shared did not wait in a buffer.
    if (exploration.options.memory.buffers) album_.close();
    Search search(exploration, album_);
    mine(search);
    if (exploration.control.stopped()) return Attempt::Stopped;
    if (search.has_grown()) return Attempt::SharingGrew;
    if (!search.contradiction().empty()) return run_without_prediction(exploration, search.fallback());
    if (const u64 unknown = exploration.control.counters.unknown)
      exploration.sink.not_complete("solver: " + std::to_string(unknown) +
                                    (unknown == 1 ? " query was" : " queries were") + " given up (--solver-timeout)");
    return complete_knowledge(exploration, std::move(search.knowledge()), album_);
  }

 private:
  static void mine(Search& search) {
    Exploration& exploration = search.exploration();
    Member first(search, exploration.crew.first());
    bool left = false;
    exploration.crew.work(1, [&](u32, Runner&) {
      first.first_run();
      left = first.work(64);
    });
    const u32 members = exploration.options.jobs;
    if (left) search.join(members - 1);
    if (left)
      exploration.crew.work(members, [&](u32 member, Runner& runner) {
        member == 0 ? first.work(~u64{0}) : Member(search, runner).work(~u64{0});
      });
    if (exploration.control.reason() == StopReason::MaxExecutions) first.confirm_failures(search.seeds());
  }

  Album album_;  // of all attempts
};

}  // namespace

std::unique_ptr<Explorer> make_mcr() { return std::make_unique<McrExplorer>(); }

}  // namespace plait
