// Cumulative causality (DESIGN §3.1): run the program only to learn something new.
//
//   K := behaviour trees of the first run
//   while the decider finds something that K does not know: run the schedules that lead there, add their traces to K
//
// A round is one search and the runs that it asks for. Before each run its lead is looked up again: an earlier run of the round may
// have shown it by the way. The last search finds nothing new; it is the proof that K is complete.
//
// The first run records all operations and is filtered by what turned out to be shared. When a later run finds new shared
// bytes, the traces so far miss operations on them: the knowledge is built anew.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "explore/album.h"
#include "explore/decider.h"
#include "explore/explorer.h"
#include "explore/tally.h"
#include "knowledge/races.h"

namespace plait {
namespace {

class Cumulative {
 public:
  Cumulative(Exploration& exploration, Worker& worker)
      : exploration_(exploration), control_(exploration.control), worker_(worker), tally_(control_.counters) {}

  /// Begins with what other runs have shown. Sharing that grows is then the caller's affair (has_grown); the first runs go into its album.
  void begin_with(Behaviour&& knowledge, Album& album) {
    given_ = std::move(knowledge);
    album_ = &album;
  }
  bool has_grown() const { return has_grown_; }

  /// Not empty: the program does something that traces do not show, so nothing can be predicted.
  const std::string& contradiction() const { return contradiction_; }

  bool explore() {
    for (;;) {
      switch (build()) {
        case Outcome::Complete: return afterwards() && !gave_up_;
        case Outcome::Stopped: return false;
        case Outcome::SharingGrew: break;
      }
      if (album_) {
        has_grown_ = true;
        return false;
      }
      control_.counters.restarts.fetch_add(1);
      exploration_.sink.restarted();
    }
  }

 private:
  enum class Outcome { Complete, Stopped, SharingGrew };

  /// Classes are about histories, so they are kept apart.
  bool merges() const { return exploration_.options.merge && !exploration_.options.classes && merge_works_; }

  Outcome build() {
    knowledge_ = given_ ? std::move(*given_) : Behaviour();
    const bool begun = given_.has_value();
    given_.reset();
    given_up_.clear();
    confirmed_.clear();
    first_grew_ = false;
    if (!begun && !first_run()) return Outcome::Stopped;
    if (first_grew_) return Outcome::SharingGrew;
    for (;;) {
      Decider decider(knowledge_, {.exit_matters = exit_matters_});
      const bool finished = decider.search(control_.cancel_flag());
      control_.counters.states.fetch_add(decider.states());
      control_.counters.frontier.store(decider.leads().size());
      if (!finished) {
        if (decider.out_of_memory()) exploration_.sink.not_complete("memory: the search has more states than fit");
        return Outcome::Stopped;
      }
      if (decider.exit_seen() && !exit_matters_) {
        exit_matters_ = true;
        continue;
      }
      if (decider.cut() != kNoNode && !gave_up_) {
        gave_up_ = true;
        const ThreadId thread = knowledge_.node(decider.cut()).thread;
        exploration_.sink.not_complete(fmt::format(
            "waiting loop: {} goes round in a loop that changes nothing; turns beyond 64 that read the same were left out",
            thread == 0 ? std::string("main") : fmt::format("T{}", thread)));
      }
      const u64 before = knowledge_.version();
      const Outcome outcome = follow(decider);
      control_.counters.histories.store(knowledge_.histories());
      control_.counters.merged.store(knowledge_.merged());
      if (outcome != Outcome::Complete) return outcome;
      if (knowledge_.version() == before) return look_for_livelocks(decider) ? Outcome::Complete : Outcome::Stopped;
    }
  }

  bool look_for_livelocks(Decider& decider) {
    for (const Lead& lead : decider.endless()) {
      worker_.clear();
      StepResult last;
      send(decider.path(lead, last), false);
      bool shown = false;
      worker_.run(control_.cancel_flag(), [&](u32, const RunView& run) {
        shown = run.reply->status == RunStatus::Failed;
        exploration_.sink.finished(FinishedRun{run, {}});
      });
      if (!shown && !control_.stopped())
        exploration_.sink.not_complete("a predicted livelock did not show when it was run");
      if (control_.stopped()) return false;
    }
    return true;
  }

  /// Questions about complete runs, answered over complete knowledge.
  bool afterwards() {
    if (exploration_.options.classes) {
      Decider decider(knowledge_, {.merge = false, .exit_matters = exit_matters_});
      const bool finished = decider.search(control_.cancel_flag());
      control_.counters.states.fetch_add(decider.states());
      if (!finished) return false;
      control_.counters.classes.store(decider.classes());
    }
    if (exploration_.options.races && !find_races()) return false;
    if (!exploration_.sink.wants_complete_runs()) return true;
    Decider decider(knowledge_, {.exit_matters = exit_matters_, .outputs = true});
    const bool finished = decider.search(control_.cancel_flag());
    control_.counters.states.fetch_add(decider.states());
    if (!finished) return false;
    const auto outcomes = decider.outcomes();
    for (size_t next = 0; next < outcomes.size();) {
      worker_.clear();
      for (size_t room = kBatch; next < outcomes.size() && room > 0; --room, ++next) {
        StepResult last;
        send(decider.path(outcomes[next].second, last), false);
      }
      if (control_.take(worker_.size()) < worker_.size()) return false;
      const bool all = worker_.run(control_.cancel_flag(), [&](u32, const RunView& run) {
        tally_.add(*run.reply);
        exploration_.sink.finished(FinishedRun{run, {}});
      });
      tally_.flush();
      if (!all) return false;
    }
    return true;
  }

  /// Races are orderings, not results: they are looked for in all states, once everything is known.
  bool find_races() {
    if (!may_race(knowledge_, Layout(knowledge_))) return true;
    Decider decider(knowledge_, {.reduce = false, .exit_matters = exit_matters_, .races = true});
    const bool finished = decider.search(control_.cancel_flag());
    control_.counters.states.fetch_add(decider.states());
    if (!finished) return false;
    for (const Lead& lead : decider.leads()) {
      if (lead.kind != StepKind::Race) continue;
      worker_.clear();
      StepResult last;
      send(decider.path(lead, last), false);
      worker_.run(control_.cancel_flag(), [&](u32, const RunView& run) { exploration_.sink.finished(FinishedRun{run, {}}); });
      if (control_.stopped()) return false;
    }
    return true;
  }

  bool first_run() {
    if (control_.take(1) == 0) return false;
    worker_.clear();
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents | request_flag::kEverything | (merges() ? request_flag::kStates : 0);
    worker_.add(request, {});
    bool learned = false;
    worker_.run(control_.cancel_flag(), [&](u32, const RunView& run) {
      first_grew_ = run.reply->sharing_grew != 0;
      const SharedBytes shared(exploration_.session);
      learned = learn(run, [&](u64 begin, u64 size) { return shared(begin, size); });
    });
    tally_.flush();
    return learned && !control_.stopped();
  }

  template <class IsShared>
  bool learn(const RunView& run, IsShared&& shared) {
    tally_.add(*run.reply);
    if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
    if (run.reply->status == RunStatus::Limit) gave_up_ = true;
    if (run.reply->unpredictable) {
      contradiction_ = "threads share the position of a stream";
      return false;
    }
    if (merges() && run.reply->opaque[0]) exploration_.sink.not_merged(run.reply->opaque_site, run.reply->opaque);
    contradiction_ = knowledge_.learn(run.events, run.output, *run.reply, merges(), shared);
    return contradiction_.empty();
  }

  /// An edge that a run is to show, or a node whose operation it is to show (value 0).
  using Target = std::pair<NodeId, u64>;

  bool is_known(const Target& target) const {
    if (knowledge_.node(target.first).state == Node::State::Unknown) return false;
    return knowledge_.known_child(target.first, target.second) != kNoNode;
  }

  struct Flight {
    Lead lead;
    Target target;
  };

  Outcome follow(Decider& decider) {
    const auto& leads = decider.leads();
    const size_t together = std::clamp<size_t>(leads.size() / 64, 1, kBatch);
    for (size_t next = 0; next < leads.size();) {
      worker_.clear();
      flights_.clear();
      everything_ = album_ && album_->wants_more();
      const size_t shared = everything_ ? exploration_.session.knowledge().shared.size() : 0;
      while (next < leads.size() && flights_.size() < together) add(decider, leads[next++]);
      if (flights_.empty()) continue;
      const u64 allowed = control_.take(flights_.size());
      if (allowed < flights_.size()) return Outcome::Stopped;
      bool grew = false, ok = true;
      const bool all = worker_.run(control_.cancel_flag(), [&](u32 index, const RunView& run) {
        grew |= run.reply->sharing_grew != 0;
        if (everything_) {
          album_->add(run);
          grew |= exploration_.session.knowledge().shared.size() != shared;
        }
        if (ok && !grew) {
          ok = everything_ ? learn(run, SharedBytes(exploration_.session)) : learn(run, [](u64, u64) { return true; });
          if (ok) confirm(flights_[index], run);
        } else {
          tally_.add(*run.reply);
          // Schedules of the same batch may not fit any more.
          const RunStatus status = run.reply->status;
          if (status != RunStatus::Complete && status != RunStatus::Diverged) exploration_.sink.finished(FinishedRun{run, {}});
        }
      });
      tally_.flush();
      if (control_.stopped() || !all || !ok || !contradiction_.empty()) return Outcome::Stopped;
      if (grew) return Outcome::SharingGrew;
    }
    return Outcome::Complete;
  }

  void add(Decider& decider, const Lead& lead) {
    StepResult last;
    const std::vector<PathStep> path = decider.path(lead, last);
    Flight flight{lead, {last.missing, last.missing_value}};
    if (lead.kind == StepKind::Unknown) {
      if (last.kind != StepKind::Unknown || given_up_.contains(flight.target)) return;
    } else {
      u64 key = static_cast<u64>(lead.kind) << 32;
      for (const PathStep& step : path) key = key * 31 + step.node;
      if (!confirmed_.insert(key).second) return;
    }
    if (send(path)) flights_.push_back(flight);
  }

  bool send(const std::vector<PathStep>& path, bool learns = true) {
    steps_.clear();
    for (const PathStep& step : path)
      steps_.push_back(Choice{step.chosen ? kChosenStep : kPlainStep, step.thread, step.chosen ? step.arg : u16{0}, step.position});
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents | (learns && merges() ? request_flag::kStates : 0);
    if (learns && everything_) request.flags |= request_flag::kEverything;
    return worker_.add(request, merged(steps_));
  }

  void confirm(const Flight& flight, const RunView& run) {
    if (flight.lead.kind != StepKind::Unknown || is_known(flight.target)) return;
    given_up_.insert(flight.target);
    gave_up_ = true;
    if (run.reply->status == RunStatus::Limit) return;
    if (run.reply->status == RunStatus::Failed) {
      exploration_.sink.not_complete("a schedule that should have shown something new failed before it got there");
      return;
    }
    contradiction_ = fmt::format("T{} should have received {} (lead {}, predicted from earlier runs), but did not",
                                 flight.lead.thread, flight.target.second, flight.lead.state);
  }

  Exploration& exploration_;
  Control& control_;
  Worker& worker_;
  Tally tally_;
  Behaviour knowledge_;
  std::optional<Behaviour> given_;
  Album* album_ = nullptr;
  bool everything_ = false;  // runs of the batch record it
  bool has_grown_ = false;
  std::vector<Flight> flights_;
  std::vector<Choice> steps_;
  std::set<Target> given_up_;
  std::set<u64> confirmed_;
  bool exit_matters_ = false;
  bool gave_up_ = false;
  bool first_grew_ = false;
  bool merge_works_ = true;
  std::string contradiction_;
};

bool run_to_the_end(Cumulative& cumulative, Exploration& exploration, Worker& worker) {
  const bool complete = cumulative.explore();
  return cumulative.contradiction().empty() ? complete : run_every_interleaving(exploration, worker, cumulative.contradiction());
}

class CumulativeExplorer : public Explorer {
 public:
  bool explore(Exploration& exploration, Worker& first) override {
    Cumulative cumulative(exploration, first);
    return run_to_the_end(cumulative, exploration, first);
  }
};

}  // namespace

bool run_every_interleaving(Exploration& exploration, Worker& worker, const std::string& why) {
  // Library code that was not compiled with the wrapper changes shared memory, or reads it: prediction does not work, running does.
  exploration.sink.falls_back(why);
  exploration.sink.restarted();
  learn_sharing(exploration, worker);
  return !exploration.control.stopped() && make_exhaustive()->explore(exploration, worker);
}

Completion complete_knowledge(Exploration& exploration, Worker& worker, Behaviour&& knowledge, Album& album) {
  Cumulative cumulative(exploration, worker);
  cumulative.begin_with(std::move(knowledge), album);
  const bool complete = run_to_the_end(cumulative, exploration, worker);
  if (cumulative.has_grown()) return Completion::SharingGrew;
  return complete ? Completion::Complete : Completion::Stopped;
}

std::unique_ptr<Explorer> make_cumulative() { return std::make_unique<CumulativeExplorer>(); }

}  // namespace plait
