// Exploration: decides which schedule runs next. This folder owns the explorers and what they share (schedules, work
// lists, limits); it sees the program only through run/ (requests in, traces out) and hands every run that somebody
// may care about to a RunSink.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "explore/control.h"
#include "explore/crew.h"
#include "explore/run_races.h"
#include "explore/schedule.h"
#include "machine/memory_model.h"

namespace plait::depend {
class Relation;
}  // namespace plait::depend

namespace plait::solve {
class CausalModel;
struct Query;
}  // namespace plait::solve

namespace plait {

/// A run as an explorer passes it on. All pointers are valid during the call only.
struct FinishedRun {
  RunView view;
  std::span<const Choice> prefix;  // the steps before the first reported scheduling point
  ThreadId until = kNoThread;      // whoever fails before, what counts is how far this thread gets
  /// All steps of the run, one per scheduling point, and what it has shown behind them.
  Schedule schedule() const;
};

/// What is done in place of predicting, and why.
struct Fallback {
  std::string why;
  bool every_interleaving = false;  // else: code that nobody sees is known to explain it
  const char* instead() const { return every_interleaving ? "every interleaving" : "every order of what conflicts"; }
};

/// Receives runs; called by several engine threads at once.
class RunSink {
 public:
  virtual ~RunSink() = default;
  /// Every run whose status is not Complete, and the complete ones too if wants_complete_runs().
  virtual void finished(const FinishedRun&) = 0;
  virtual bool wants_complete_runs() const = 0;
  /// A schedule gave two different traces.
  virtual void not_deterministic(const std::string& message) = 0;
  /// More bytes turned out to be shared: the exploration begins again, and what was seen so far may not be repeatable.
  virtual void restarted() {}
  /// The explorer cannot predict the program's results, and runs more instead.
  virtual void falls_back(const Fallback& fallback) { (void)fallback; }
  /// Paths cannot be told apart by what threads decide: their values are followed.
  virtual void follows_values(const std::string& why) { (void)why; }
  /// A thread's states cannot be told apart from some point on, so they are not merged.
  virtual void not_merged(u32 site, const std::string& why) { (void)site, (void)why; }
  /// Something kept the exploration from being complete.
  virtual void not_complete(const std::string& reason) { not_deterministic(reason); }
};

/// Schedules that have taught something, in the order in which they did.
using Schedules = std::vector<std::vector<Choice>>;

struct ExploreOptions {
  u32 jobs = 1;
  machine::MemoryRules memory;
  bool keep_going = false;  // mcr: after a bug, too, when predicted failures are tried
  bool sleep_sets = false;
  bool self_check = false;
  bool merge = true;                      // cumulative: histories that leave a thread in the same state are one
  const Schedules* begin_with = nullptr;  // cumulative: schedules of an earlier, unfinished check
  Schedules* taught = nullptr;            // cumulative: where to keep the schedules of this one
  bool classes = false;                   // cumulative, mcr, dpor: count the read-value classes
  bool paths = false;                     // paths: count them
  bool unsat_cores = true;                // mpc: strategy 2, else 1
  bool races = false;                     // data races are bugs
  bool exits = false;                     // cumulative: ends of the program that cut threads off are bugs
  /// cumulative: sees what is known in the end and, with `classes`, where the threads stand at the ends of runs, one
  /// entry for each class.
  std::function<void(const class Behaviour&, const std::vector<std::vector<u32>>& ends)> learned;
  u64 seed = 1;
  u64 random_runs = 10000;
  std::optional<u32> preemption_bound;                       // icb, dpor
  u32 pct_depth = 3;                                         // pct: how many events must come in an unlucky order
  bool z3 = false;                                           // mcr: Z3 solves, not our own solver
  double solver_seconds = 10;                                // mcr: time budget of a query
  std::optional<std::chrono::steady_clock::time_point> end;  // mcr: queries are given up then
  std::string dump_queries;                                  // mcr: directory for queries in SMT-LIB
  std::shared_ptr<const depend::Relation> dependence;        // mcr: what the compiler knows; null: nothing (MCR)
  bool keeps_before = true;                                  // mcr with it: MCR-S+, else MCR-S
  // mcr: sees every query, from any engine thread
  std::function<void(const solve::CausalModel&, const solve::Query&)> query_observer;
  u32 first_helpers_after = 4096;  // runs by the first thread alone: a small program needs no second process
};

/// The program's inputs, for explorers that choose their values run by run. Only while nobody runs.
class InputChooser {
 public:
  virtual ~InputChooser() = default;
  /// Runs from now on have these values; inputs that are missing have the default.
  virtual void choose(const std::vector<InputVariable>& values) = 0;
  /// What the runs since have taken.
  virtual std::vector<InputVariable> taken() = 0;
  /// All of them are covered.
  virtual void cover() = 0;
  /// They are not to be chosen any more: they are what they were in the beginning.
  virtual void give_up() = 0;
};

/// What every explorer works on.
struct Exploration {
  Runners& runners;
  ExploreOptions options;
  Control& control;
  RunSink& sink;
  Crew crew{runners, [&control = control] { control.stop(StopReason::NotCheckable); }};
  Visibility visibility = runners.visibility();  // that schedules are made for
  RunRaces races = {};                           // options.races: those that runs have shown
  InputChooser* inputs = nullptr;                // null: they are fixed while an explorer works
  class PartNews* news = nullptr;                // a part of a whole: what others find out meanwhile (parts.h)

  /// What runs have found out counts from now on.
  void refresh() { visibility = runners.visibility(); }
  /// Makes runs on one of the crew's runners, for this visibility or a later one.
  bool run(Runner& runner, const Batch& batch, const Runner::Consume& consume) {
    return run(runner, visibility, batch, consume);
  }
  bool run(Runner& runner, const Visibility& given, const Batch& batch, const Runner::Consume& consume);
  /// Runs the races that runs have shown once more, so that they are failures.
  void show_races(Runner& runner, const Visibility& given);
};

/// How an attempt ends. SharingGrew: more operations are visible than it was made for, so that it has to begin again.
enum class Attempt { Complete, Stopped, SharingGrew };

class Explorer {
 public:
  virtual ~Explorer() = default;
  /// Explores with the exploration's visibility.
  virtual Attempt attempt(Exploration&) = 0;
};

/// Attempts until one knows all that is shared. True when nothing is left to explore.
bool explore(Explorer&, Exploration&);

std::unique_ptr<Explorer> make_cumulative();
std::unique_ptr<Explorer> make_paths();
std::unique_ptr<Explorer> make_mpc();
std::unique_ptr<Explorer> make_exhaustive();
std::unique_ptr<Explorer> make_random();
std::unique_ptr<Explorer> make_icb();
std::unique_ptr<Explorer> make_dpor();
std::unique_ptr<Explorer> make_pct();
std::unique_ptr<Explorer> make_mcr();

/// dpor for programs in which some code is not seen. Stops with a reason in `contradiction` when threads do what that
/// code does not explain.
std::unique_ptr<Explorer> make_dpor_around_unseen(std::string& contradiction);

/// dpor within options.preemption_bound: see bounded_dpor.cc.
Attempt explore_bounded_dpor(Exploration&);

class Behaviour;
class Album;
/// Goes on from what is known as the cumulative explorer does, until everything is known or more memory turns out to be
/// shared. Explorers that find most of the behaviour in their own way use it to become complete.
Attempt complete_knowledge(Exploration&, Behaviour&& knowledge, Album& album);
/// Why a run with these events cannot be predicted from others (Reply::unpredictable).
std::string what_is_unseen(std::span<const Event> events);
/// Does the run show code that nobody sees?
bool shows_unseen_code(const RunView& run);
/// What to do when results cannot be predicted from traces. Never SharingGrew.
Attempt run_without_prediction(Exploration&, const Fallback& fallback);

/// Runs until no new shared bytes turn up: first the default schedule, then random ones. The enumeration that follows
/// then seldom has to restart.
void learn_sharing(Exploration&);

/// The same from a single run that records everything, for explorers whose number of runs is of interest: most programs
/// share nothing else later, and those that do make them begin again.
void learn_sharing_at_once(Exploration&);

}  // namespace plait
