// Cumulative causality (docs/exploration.md): run the program only to learn something new.
//
//   K := behaviour graphs of the first run
//   while the decider finds something that K does not know: run the schedules that lead there, add their traces to K
//
// A round is a set of searches and the runs that they ask for. Before each run its lead is looked up again: an earlier
// run of the round may have shown it by the way. The last searches find nothing new; they are the proof that K is
// complete. Each asks about some threads only (knowledge/cone.h), so that they can run on several cores and stay small
// where the parts of the program are independent.
//
// The first run records all operations and is filtered by what turned out to be shared. When a later run finds new
// shared bytes, the traces so far miss operations on them: the knowledge is built anew.
#include "explore/cumulative.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "explore/album.h"
#include "explore/decider.h"
#include "explore/explorer.h"
#include "explore/final_questions.h"
#include "explore/hunt.h"
#include "explore/path_inputs.h"
#include "explore/plans.h"
#include "explore/searches.h"
#include "explore/shared_bytes.h"
#include "explore/tally.h"
#include "knowledge/marks.h"
#include "knowledge/races.h"

namespace plait {
namespace {

class Cumulative {
 public:
  explicit Cumulative(Exploration& exploration, bool paths = false) : exploration_(exploration), paths_(paths) {
    if (paths && exploration.inputs) inputs_ = std::make_unique<PathInputs>(exploration);
  }

  /// Begins with what other runs have shown; the first runs go into their album.
  void begin_with(Behaviour&& knowledge, Album& album) {
    given_ = std::move(knowledge);
    album_ = &album;
  }

  /// Not empty: the program does something that traces do not show, so nothing can be predicted.
  const std::string& contradiction() const { return contradiction_; }
  /// It was because a block had two sizes: what the heap knows of it must be shown. (Pictures of mcr do not have it.)
  std::optional<u64> resized_block() const {
    return contradiction_.empty() || album_ ? std::nullopt : knowledge_.resized_block();
  }
  /// Not empty: paths cannot be told apart by what they decide (paths).
  const std::string& obstacle() const { return obstacle_; }
  Fallback fallback() const { return {contradiction_, !unseen_code_}; }

  Attempt explore() {
    const Attempt built = build();
    if (built != Attempt::Complete) return built;
    const bool answered = answer_about_complete_runs(exploration_, knowledge_, inputs_.get(), obstacle_);
    return answered && !gave_up_ ? Attempt::Complete : Attempt::Stopped;
  }

 private:
  bool is_weak() const { return exploration_.options.memory.buffers; }

  /// Classes are about histories, so they are kept apart.
  bool merges() const { return exploration_.options.merge && !exploration_.options.classes && !paths_; }

  /// Of runs that are to be learned from.
  u8 flags() const {
    const int flags =
        request_flag::kAllEvents | (merges() ? request_flag::kStates : 0) | (paths_ ? request_flag::kLabels : 0);
    return static_cast<u8>(flags);
  }

  Attempt build() {
    if (exploration_.options.taught) exploration_.options.taught->clear();
    knowledge_ = given_ ? std::move(*given_) : Behaviour(exploration_.options.memory);
    if (paths_) knowledge_.follow_reads();
    const bool begun = given_.has_value();
    given_.reset();
    given_up_.clear();
    confirmed_.clear();
    first_grew_ = false;
    if (!begun && !first_run()) return Attempt::Stopped;
    if (first_grew_) return Attempt::SharingGrew;
    if (paths_ && !first_path()) return grew_ ? Attempt::SharingGrew : Attempt::Stopped;
    if (!learn_again()) return grew_ ? Attempt::SharingGrew : Attempt::Stopped;
    for (;;) {
      switch (round()) {
        case Round::Proved: return look_for_livelocks(exploration_, knowledge_) ? Attempt::Complete : Attempt::Stopped;
        case Round::Learned: break;
        case Round::Stopped: return Attempt::Stopped;
        case Round::SharingGrew: return Attempt::SharingGrew;
      }
    }
  }

  enum class Round { Proved, Learned, Stopped, SharingGrew };

  /// Searches from the start; what they find is run and learned, and they go on, until nothing is left to be found or
  /// the knowledge has outgrown them. Proved: nothing is left, and all that the searches decided on their way holds
  /// with what is known in the end.
  Round round() {
    knowledge_.settle();
    initial_version_ = knowledge_.initial_version();
    exit_matters_ = exploration_.options.exits && !exits_are_harmless(knowledge_);
    auto horizon = std::make_shared<Horizon>(knowledge_, exit_matters_);
    std::vector<std::unique_ptr<Decider>> deciders;
    for (Plan& plan : make_plans(knowledge_, *horizon, merges(), exit_matters_))
      deciders.push_back(
          std::make_unique<Decider>(knowledge_, horizon, std::move(plan.cone), plan.options, conditions()));
    bool holds = true;
    for (u64 budget = kBudget;; budget *= 2) {
      if (!search_all(exploration_, deciders, budget)) return Round::Stopped;
      bool finished = true;
      u64 states = 0;
      std::vector<Question> leads;
      for (const auto& decider : deciders) {
        finished &= decider->finished();
        states += decider->states();
        if (decider->cut() != kNoNode) give_up_loop(decider->cut());
        if (!decider->obstacle().empty()) obstacle_ = decider->obstacle();
        for (const Lead& lead : decider->leads()) leads.push_back({decider.get(), lead});
      }
      if (!obstacle_.empty()) return Round::Stopped;
      control_.counters.frontier.store(leads.size());
      nearest_first(leads);
      const u64 before = knowledge_.version();
      Attempt outcome = hunt_if_large();
      if (outcome == Attempt::Complete) outcome = follow(leads);
      control_.counters.histories.store(knowledge_.histories());
      control_.counters.merged.store(knowledge_.merged());
      if (outcome == Attempt::Stopped) return Round::Stopped;
      if (outcome == Attempt::SharingGrew) return Round::SharingGrew;
      if (std::exchange(too_fine_, false) || began_otherwise()) return Round::Learned;
      const bool news = knowledge_.version() != before;
      if (!news && finished && holds) {
        control_.counters.alike.store(horizon->futures().equal());
        return Round::Proved;
      }
      if (!news && finished) return Round::Learned;
      if (!news) continue;
      if (states < kSmallSearch) return Round::Learned;  // soon done again, with all that is known now
      knowledge_.settle();
      const Horizon::Change change = horizon->refresh();
      if (change == Horizon::Change::Outgrown) return Round::Learned;
      const std::vector<Plan> now = make_plans(knowledge_, *horizon, merges(), exit_matters_);
      if (now.empty()) return Round::Learned;  // a quick look says that nothing is left
      holds &= change == Horizon::Change::Same && std::all_of(now.begin(), now.end(), [&](const Plan& plan) {
                 return std::any_of(deciders.begin(), deciders.end(),
                                    [&](const auto& decider) { return decider->cone() == plan.cone; });
               });
      for (const auto& decider : deciders) decider->resume();
    }
  }

  /// Memory began with something else than the searches of this round took it for.
  bool began_otherwise() const { return knowledge_.initial_version() != initial_version_; }

  void give_up_loop(NodeId at) {
    if (paths_) obstacle_ = fmt::format("a loop goes round at {}", place_mark(knowledge_.node(at).site));
    if (gave_up_ || paths_) return;
    gave_up_ = true;
    const ThreadId thread = knowledge_.node(at).thread;
    exploration_.sink.not_complete(fmt::format(
        "waiting loop: {} goes round in a loop that changes nothing; turns beyond 64 that read the same were left out",
        thread == 0 ? std::string("main") : fmt::format("T{}", thread)));
  }

  /// What an earlier check knew: its schedules once more.
  bool learn_again() {
    const Schedules* schedules = exploration_.options.begin_with;
    if (!schedules) return true;
    grew_ = false;
    Batch batch;
    for (size_t next = 0; next < schedules->size();) {
      batch.clear();
      const u64 allowed = control_.take(kBatch);
      if (allowed == 0) return false;
      for (; next < schedules->size() && batch.size() < allowed; ++next) {
        Request request{};
        request.tail = Tail::First;
        request.flags = flags();
        if (!batch.add(request, (*schedules)[next])) break;
      }
      control_.give_back(allowed - batch.size());
      bool ok = true;
      const bool all = exploration_.run(exploration_.crew.first(), batch, [&](u32, const RunView& run) {
        grew_ |= run.outgrown;
        if (ok && !grew_) ok = learn(run, tally_, [](u64, u64) { return true; });
      });
      tally_.flush();
      if (!all || !ok || grew_ || control_.stopped()) return false;
    }
    if (exploration_.options.taught) *exploration_.options.taught = *schedules;
    return true;
  }

  /// One run by the default schedule, and inputs.
  template <class Consume>
  bool run_by_default(u8 flags, Consume&& consume) {
    Batch batch;
    Request request{};
    request.tail = Tail::First;
    request.flags = flags;
    batch.add(request, {});
    if (inputs_) inputs_->choose({});
    const bool all = exploration_.run(exploration_.crew.first(), batch, [&](u32, const RunView& run) { consume(run); });
    tally_.flush();
    return all;
  }

  /// One that records everything shows at once what is shared. (And what main does with inputs.)
  bool first_run(u8 recorded = request_flag::kEverything) {
    if (control_.take(1) == 0) return false;
    bool again = false, too_fine = false, learned = false;
    const int more = (merges() ? request_flag::kStates : 0) | (inputs_ ? request_flag::kLabels : 0);
    run_by_default(static_cast<u8>(request_flag::kAllEvents | recorded | more), [&](const RunView& run) {
      // A thread that computes for long: the steps are finer than those of the exploration, and no limit of that.
      too_fine = recorded && run.reply->status == RunStatus::Limit;
      if (too_fine) return void(control_.counters.executions.fetch_add(1));
      first_grew_ = run.reply->sharing_grew != 0;
      // Its schedule does not say when the stores leave the buffers in which they would have waited.
      again = is_weak() && run.reply->status == RunStatus::Failed && run.outgrown;
      exploration_.refresh();
      if (again) return tally_.add(*run.reply);
      learned = paths_     ? show(run)
                : recorded ? learn(run, tally_, SharedBytes(exploration_.visibility))
                           : learn(run, tally_, [](u64, u64) { return true; });
    });
    if (too_fine) return first_run(0);
    if (again && !control_.stopped()) return first_run();
    return learned && !control_.stopped();
  }

  /// Where reads are symbols, the first run tells what is shared, and no more.
  bool show(const RunView& run) {
    tally_.add(*run.reply);
    if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
    return true;
  }

  bool first_path() {
    if (control_.take(1) == 0) return false;
    bool learned = false;
    grew_ = false;
    const bool all = run_by_default(flags(), [&](const RunView& run) {
      grew_ = run.outgrown;
      learned = !grew_ && learn(run, tally_, [](u64, u64) { return true; });
    });
    return all && learned && !control_.stopped();
  }

  template <class IsShared>
  bool learn(const RunView& run, Tally& tally, IsShared&& shared) {
    tally.add(*run.reply);
    if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
    if (run.reply->status == RunStatus::Limit) gave_up_ = true;
    unseen_code_ |= shows_unseen_code(run);
    if (run.reply->unpredictable != Unpredictable::No) {
      unseen_code_ &= run.reply->unpredictable == Unpredictable::ByUnseenCode;
      contradiction_ = what_is_unseen(run.events);
      return false;
    }
    if (merges() && run.reply->opaque[0]) exploration_.sink.not_merged(run.reply->opaque_site, run.reply->opaque);
    const LabelTables* labels = paths_ ? exploration_.runners.labels() : nullptr;
    if (labels) obstacle_ = run.reply->status == RunStatus::Limit ? "a run has no end" : label_problem(*labels);
    if (!obstacle_.empty()) return false;
    contradiction_ = knowledge_.learn(run.events, run.output, run.failures(), merges(), shared, labels);
    if (inputs_) inputs_->note_taken();
    return contradiction_.empty();
  }

  bool is_known(const Target& target) const {
    if (knowledge_.node(knowledge_.canonical(target.first)).state == Node::State::Unknown) return false;
    return knowledge_.known_child(target.first, target.second) != kNoNode;
  }

  Attempt follow(const std::vector<Question>& leads) {
    // One after the other where each has inputs of its own.
    const size_t together = inputs_ ? 1 : std::clamp<size_t>(leads.size() / 64, 1, kBatch);
    for (size_t next = 0; next < leads.size();) {
      everything_ = album_ && album_->wants_more();
      const size_t members = inputs_                                             ? 1
                             : leads.size() - next >= kManyLeads && !everything_ ? exploration_.options.jobs
                                                                                 : 1;
      while (loads_.size() < members) loads_.push_back(std::make_unique<Load>(control_.counters));
      const u64 allowed = control_.take(members * together);
      if (allowed == 0) return Attempt::Stopped;
      size_t sent = 0;
      for (size_t m = 0; m < members; ++m) {
        Load& load = *loads_[m];
        load.batch.clear();
        load.asked.clear();
        while (next < leads.size() && load.asked.size() < together && sent + load.asked.size() < allowed)
          add(load, leads[next++]);
        if (!obstacle_.empty()) return Attempt::Stopped;
        sent += load.asked.size();
      }
      control_.give_back(allowed - sent);
      if (sent == 0) continue;
      if (!run_loads(members)) return Attempt::Stopped;
      if (grew_) return Attempt::SharingGrew;
    }
    return Attempt::Complete;
  }

  /// Not for those who count runs or choose inputs.
  Attempt hunt_if_large() {
    if (album_ || inputs_ || exploration_.options.classes) return Attempt::Complete;
    const u64 runs = hunt_.due(control_.counters.states.load());
    for (u64 done = 0; done < runs;) {
      everything_ = false;
      if (loads_.empty()) loads_.push_back(std::make_unique<Load>(control_.counters));
      Load& load = *loads_[0];
      load.batch.clear();
      load.asked.clear();
      const u64 allowed = control_.take(std::min<u64>(runs - done, kBatch));
      if (allowed == 0) return Attempt::Stopped;
      for (u64 i = 0; i < allowed; ++i) load.batch.add(random_request(), {});
      done += allowed;
      if (!run_loads(1)) return Attempt::Stopped;
      if (grew_) return Attempt::SharingGrew;
    }
    if (runs > 0) exploration_.show_races(exploration_.crew.first(), exploration_.visibility);
    return control_.stopped() ? Attempt::Stopped : Attempt::Complete;
  }

  Request random_request() {
    Request request = hunt_.request();
    request.flags = flags();
    return request;
  }

  /// What was put into the loads of the first members. False if the exploration is to stop.
  bool run_loads(size_t members) {
    if (paths_ && !inputs_) forget_labels(exploration_.runners);
    grew_ = false;
    learning_ = true;
    exploration_.crew.work(static_cast<u32>(members),
                           [&](u32 member, Runner& runner) { run_load(*loads_[member], runner); });
    bool all = true;
    for (size_t m = 0; m < members; ++m) all &= loads_[m]->all;
    return all && learning_ && contradiction_.empty() && !control_.stopped();
  }

  /// Runs what the load has; what it learns is added one run at a time.
  void run_load(Load& load, Runner& runner) {
    load.all = exploration_.run(runner, load.batch, [&](u32 index, const RunView& run) {
      std::lock_guard lock(mutex_);
      grew_ |= run.outgrown;
      if (everything_ && (!run.outgrown || !is_weak())) album_->add(run);
      hunt_.note(run.reply->points);
      const bool is_asked = !load.asked.empty();
      // Chance may let a thread wait for as long as it likes: that is no limit of the exploration.
      if (!is_asked && run.reply->status == RunStatus::Limit) {
        control_.counters.executions.fetch_add(1);
        return;
      }
      if (learning_ && !grew_) {
        const u64 before = knowledge_.version();
        learning_ = everything_ ? learn(run, load.tally, SharedBytes(exploration_.visibility))
                                : learn(run, load.tally, [](u64, u64) { return true; });
        if (exploration_.options.taught && knowledge_.version() != before)
          exploration_.options.taught->push_back(is_asked ? load.asked[index].schedule.choices
                                                          : FinishedRun{run, {}}.schedule().choices);
        if (learning_ && is_asked) confirm(load.asked[index], run);
        return;
      }
      load.tally.add(*run.reply);
      // Some stores did not wait though others did, which no memory model allows. What fails will fail again.
      if (is_weak()) return;
      // Schedules of the same batch may not fit any more.
      const RunStatus status = run.reply->status;
      if (status != RunStatus::Complete && status != RunStatus::Diverged)
        exploration_.sink.finished(FinishedRun{run, {}});
    });
    load.tally.flush();
  }

  void add(Load& load, const Question& question) {
    StepResult last;
    const Path path = question.decider->path(question.lead, last);
    u64 value = last.missing_value;
    if (value == kNoWide && knowledge_.node(knowledge_.canonical(last.missing)).size == 16)
      value = knowledge_.intern_wide(last.wide);
    Asked asked{question.lead, {last.missing, value}};
    if (question.lead.kind == StepKind::Unknown) {
      if (last.kind != StepKind::Unknown || given_up_.contains(asked.target)) return;
    } else {
      std::vector<u64> key{static_cast<u64>(question.lead.kind)};
      for (const PathStep& step : path.steps) key.push_back(static_cast<u64>(step.node) << 32 | step.arg);
      if (!confirmed_.insert(std::move(key)).second) return;
    }
    if (!path.has_inputs) {
      obstacle_ = "no inputs were found for a path that some must take";
      return;
    }
    if (inputs_) inputs_->choose(path.inputs);
    asked.schedule = schedule_of(path);
    Request request{};
    request.tail = Tail::First;
    request.flags = static_cast<u8>(flags() | (everything_ ? request_flag::kEverything : 0));
    if (!load.batch.add(request, asked.schedule)) return;
    load.asked.push_back(std::move(asked));
  }

  void confirm(const Asked& asked, const RunView& run) {
    if (asked.lead.kind != StepKind::Unknown || is_known(asked.target)) return;
    if (everything_) {
      album_->close();
      too_fine_ = true;
      return;
    }
    if (began_otherwise()) return;  // to be searched again
    given_up_.insert(asked.target);
    if (paths_ && run.reply->status != RunStatus::Limit) {
      obstacle_ = fmt::format("at {} a thread went on otherwise than was expected",
                              place_mark(knowledge_.node(asked.target.first).site));
      learning_ = false;
      return;
    }
    if (run.reply->status == RunStatus::Failed && knowledge_.threads() == 1) return;  // the only schedule that there is
    gave_up_ = true;
    if (run.reply->status == RunStatus::Limit) return;
    if (run.reply->status == RunStatus::Failed) {
      exploration_.sink.not_complete("a schedule that should have shown something new failed before it got there");
      return;
    }
    contradiction_ = fmt::format(
        "at {}, {} should have found {} in {}, as earlier runs say, but did not: something changes it unseen",
        place_mark(knowledge_.node(asked.target.first).site),
        asked.lead.thread == 0 ? "main" : fmt::format("T{}", asked.lead.thread), asked.target.second,
        memory_mark(knowledge_.node(asked.target.first).location));
  }

  Exploration& exploration_;
  Control& control_ = exploration_.control;
  Tally tally_{control_.counters};
  const bool paths_;  // reads are symbols: the graphs branch where threads do
  std::string obstacle_;
  Behaviour knowledge_{exploration_.options.memory};
  std::unique_ptr<PathInputs> inputs_;  // where they are symbols
  solve::PathConditions* conditions() { return inputs_ ? &inputs_->conditions() : nullptr; }
  std::optional<Behaviour> given_;
  Album* album_ = nullptr;
  bool everything_ = false;  // runs of the batch record it
  bool too_fine_ = false;    // the last step of such a run was one that nobody else sees: once more without
  u64 initial_version_ = 0;  // of the knowledge, when the round began
  static constexpr u64 kBudget =
      1 << 16;  // states that a search leaves before its leads are followed; doubled each time
  static constexpr u64 kSmallSearch = 1 << 14;  // states that are soon visited again
  static constexpr size_t kManyLeads = 512;     // worth more workers
  Hunt hunt_{exploration_.options, control_.counters.states.load()};
  std::vector<std::unique_ptr<Load>> loads_;
  std::mutex mutex_;  // what the crew's threads share: knowledge and all below
  bool grew_ = false, learning_ = true;
  std::set<Target> given_up_;
  std::set<std::vector<u64>> confirmed_;
  bool exit_matters_ = false;  // an end of the program that cuts threads off is to be found
  bool gave_up_ = false;
  bool first_grew_ = false;
  std::string contradiction_;
  bool unseen_code_ = false;  // is known to run, and may explain a contradiction
};

Attempt run_to_the_end(Cumulative& cumulative, Exploration& exploration) {
  const Attempt result = cumulative.explore();
  if (const auto block = cumulative.resized_block(); block && exploration.runners.share_block_size(*block))
    return Attempt::SharingGrew;
  return cumulative.contradiction().empty() ? result : run_without_prediction(exploration, cumulative.fallback());
}

}  // namespace

Attempt follow_values(Exploration& exploration) {
  Cumulative cumulative(exploration);
  return run_to_the_end(cumulative, exploration);
}

Attempt follow_paths(Exploration& exploration, std::string& obstacle) {
  Cumulative paths(exploration, true);
  const Attempt result = paths.explore();
  if (const auto block = paths.resized_block(); block && exploration.runners.share_block_size(*block))
    return Attempt::SharingGrew;
  obstacle = paths.obstacle().empty() ? paths.contradiction() : paths.obstacle();
  return result;
}

Attempt complete_knowledge(Exploration& exploration, Behaviour&& knowledge, Album& album) {
  Cumulative cumulative(exploration);
  cumulative.begin_with(std::move(knowledge), album);
  return run_to_the_end(cumulative, exploration);
}

}  // namespace plait
