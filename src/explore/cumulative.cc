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

#include "explore/cumulative_search.h"
#include "explore/final_questions.h"
#include "explore/plans.h"
#include "knowledge/marks.h"
#include "knowledge/races.h"

namespace plait {

Attempt Cumulative::explore() {
  const Attempt built = build();
  if (built != Attempt::Complete) return built;
  const bool answered = answer_about_complete_runs(exploration_, knowledge_, inputs_.get(), obstacle_);
  return answered && !gave_up_ ? Attempt::Complete : Attempt::Stopped;
}

Attempt Cumulative::build() {
  if (exploration_.options.taught) exploration_.options.taught->clear();
  knowledge_ = given_ ? std::move(*given_) : Behaviour(exploration_.options.memory);
  if (paths_) knowledge_.follow_reads();
  const bool begun = given_.has_value();
  given_.reset();
  given_up_.clear();
  confirmed_.clear();
  first_grew_ = false;
  const bool is_shown = paths_ && control_.counters.restarts;  // what is shared, by an earlier attempt
  if (!begun && !is_shown && !first_run()) return Attempt::Stopped;
  if (first_grew_) return Attempt::SharingGrew;
  if (paths_ && !first_path()) return grew_ ? Attempt::SharingGrew : Attempt::Stopped;
  if (!learn_again()) return grew_ ? Attempt::SharingGrew : Attempt::Stopped;
  if (const Attempt mined = mine(); mined != Attempt::Complete) return mined;
  for (;;) {
    switch (round()) {
      case Round::Proved: return look_for_livelocks(exploration_, knowledge_) ? Attempt::Complete : Attempt::Stopped;
      case Round::Learned:
      case Round::Undecided: break;
      case Round::Stopped: return Attempt::Stopped;
      case Round::SharingGrew: return Attempt::SharingGrew;
    }
  }
}

std::vector<std::unique_ptr<Decider>> Cumulative::make_deciders(const std::shared_ptr<Horizon>& horizon) {
  std::vector<std::unique_ptr<Decider>> deciders;
  for (Plan& plan : make_plans(knowledge_, *horizon, merges(), exit_matters_)) {
    // It need not have found something to be larger than was thought.
    plan.options.pauses = paths_ || !horizon->reduces();
    deciders.push_back(
        std::make_unique<Decider>(knowledge_, horizon, std::move(plan.cone), plan.options, conditions()));
  }
  return deciders;
}

Cumulative::Round Cumulative::round() {
  knowledge_.settle();
  round_began_ = control_.seconds();
  initial_version_ = knowledge_.initial_version();
  exit_matters_ = exploration_.options.exits && !exits_are_harmless(knowledge_);
  auto horizon = std::make_shared<Horizon>(knowledge_, exit_matters_, is_large(control_));
  const std::vector<std::unique_ptr<Decider>> deciders = make_deciders(horizon);
  bool holds = true;
  for (u64 budget = paths_ ? path_budget_ : horizon->has_like_threads() ? kBudget / 8 : kBudget;; budget *= 2) {
    if (!search_all(exploration_, deciders, budget)) return Round::Stopped;
    SearchResults found(deciders);
    auto& [finished, states, leads, cuts, obstacle] = found;
    for (const NodeId cut : cuts) give_up_loop(cut);
    if (!obstacle.empty()) obstacle_ = obstacle;
    if (!obstacle_.empty()) return Round::Stopped;
    if (paths_ && !finished && leads.empty())
      if (const Round answer = ask_constraints(); answer != Round::Undecided) return answer;
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
    if (!finished && !horizon->reduces() && is_large(control_)) return Round::Learned;
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

void Cumulative::give_up_loop(NodeId at) {
  if (paths_) obstacle_ = fmt::format("a loop goes round at {}", place_mark(knowledge_.node(at).site));
  if (gave_up_ || paths_) return;
  gave_up_ = true;
  exploration_.sink.not_complete(what_goes_round(knowledge_, at));
}

Attempt Cumulative::follow(const std::vector<Question>& leads) {
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
      for (size_t own = 0; next < leads.size() && own < together && sent < allowed;) {
        const bool asked = add(load, leads[next++]);
        own += asked;
        sent += asked;
      }
      if (!obstacle_.empty()) return Attempt::Stopped;
    }
    control_.give_back(allowed - sent);
    if (sent == 0) continue;
    if (!run_loads(members)) return Attempt::Stopped;
    if (grew_) return Attempt::SharingGrew;
  }
  return Attempt::Complete;
}

Cumulative::Round Cumulative::ask_constraints() {
  if (exit_matters_ || frontier_.has_given_up()) return Round::Undecided;
  const solve::InputTerms none;
  std::vector<PathLead> leads;
  // No longer than the search has taken: whichever is quicker.
  const double begin = control_.seconds();
  const double seconds =
      std::max(path_budget_ == 1 ? exploration_.options.solver_seconds : seconds_to_ask_, begin - round_began_);
  const auto answer =
      frontier_.ask(knowledge_, inputs_ ? inputs_->conditions().terms() : none, control_, seconds, leads);
  if (answer == PathFrontier::Answer::CannotSay) return control_.stopped() ? Round::Stopped : Round::Undecided;
  path_budget_ = std::min(path_budget_, kEarlyPathBudget);
  seconds_to_ask_ = std::max(seconds_to_ask_, 1 + 2 * (control_.seconds() - begin));
  if (loads_.empty()) loads_.push_back(std::make_unique<Load>(control_.counters));
  for (const PathLead& lead : leads) {
    if (is_known(lead.target)) continue;
    if (control_.take(1) == 0) return Round::Stopped;
    add(*loads_[0], lead);
    if (!run_loads(1)) return Round::Stopped;
    if (grew_) return Round::SharingGrew;
  }
  return leads.empty() ? Round::Proved : Round::Learned;
}

Attempt Cumulative::hunt_if_large() {
  if (!hunts()) return Attempt::Complete;
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

Request Cumulative::random_request() {
  Request request = hunt_.request();
  request.flags = flags();
  return request;
}

namespace {

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

Attempt attempt_paths(Exploration& exploration, std::string& obstacle,
                      const std::function<std::unique_ptr<Cumulative>(Exploration&)>& make) {
  if (!obstacle.empty()) return follow_values(exploration);
  const std::unique_ptr<Cumulative> paths = make(exploration);
  const Attempt result = paths->explore();
  if (const auto block = paths->resized_block(); block && exploration.runners.share_block_size(*block))
    return Attempt::SharingGrew;
  obstacle = paths->obstacle().empty() ? paths->contradiction() : paths->obstacle();
  if (obstacle.empty()) {
    if (result == Attempt::Complete && exploration.inputs) exploration.inputs->cover();
    return result;
  }
  if (exploration.inputs) exploration.inputs->give_up();
  exploration.sink.follows_values(obstacle);
  exploration.sink.restarted();
  exploration.refresh();
  return follow_values(exploration);
}

Attempt complete_knowledge(Exploration& exploration, Behaviour&& knowledge, Album& album) {
  Cumulative cumulative(exploration);
  cumulative.begin_with(std::move(knowledge), album);
  return run_to_the_end(cumulative, exploration);
}

}  // namespace plait
