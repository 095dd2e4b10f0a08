// What one member of the crew does in `mcr` (mcr.cc): runs seeds, and studies their traces.
#pragma once
#include "explore/counted_solver.h"
#include "explore/mcr_search.h"
#include "explore/tally.h"

namespace plait::mcr {

/// Predicted failures that are tried when no more runs are allowed.
inline constexpr u32 kMostConfirmations = 1000;

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
        search_.put_back(std::move(rest));
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
      steps.push_back({kPlainStep, seed->thread, 0, seed->last});
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
          search_.put_back({*sent[index]});
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
                           exploration_.options.keeps_before ? Before::Keep : Before::IfNeeded,
                           [this](u64 history) { return search_.is_new(history); }));
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

/// No seed is left: what is still missing is decided over all that the traces have shown.
Attempt decide_the_rest(Search& search);

}  // namespace plait::mcr
