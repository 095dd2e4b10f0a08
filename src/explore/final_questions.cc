#include "explore/final_questions.h"

#include <map>
#include <set>

#include "explore/decider.h"
#include "explore/searches.h"
#include "explore/tally.h"
#include "knowledge/races.h"

namespace plait {
namespace {

solve::PathConditions* conditions_of(PathInputs* inputs) { return inputs ? &inputs->conditions() : nullptr; }

/// A run that leads along the path, and on.
bool add(Batch& batch, const Path& path) {
  Request request{};
  request.tail = Tail::First;
  request.flags = request_flag::kAllEvents;
  return batch.add(request, schedule_of(path));
}

/// Runs a predicted failure; does it come?
bool show(Exploration& exploration, Decider& decider, const Lead& lead, FailureKind kind, PathInputs* inputs) {
  Batch batch;
  StepResult last;
  const Path path = decider.path(lead, last);
  if (!path.has_inputs) return false;
  if (inputs) inputs->choose(path.inputs);
  add(batch, path);
  bool shown = false;
  exploration.run(exploration.crew.first(), batch, [&](u32, const RunView& run) {
    shown = run.shows(kind);
    exploration.sink.finished(FinishedRun{run, {}});
  });
  return shown;
}

/// Shows the races of a search. False: stopped.
bool find_races(Exploration& exploration, const Behaviour& knowledge, const Decider::Options& options, bool& found,
                PathInputs* inputs, std::string& obstacle) {
  Decider::Options sized = options;
  sized.large = is_large(exploration.control);
  sized.pauses = !sized.large;
  auto search = std::make_unique<Decider>(knowledge, sized, conditions_of(inputs));
  bool finished = search->search(exploration.control.cancel_flag(), sized.large ? ~u64{0} : kLargeSearch);
  exploration.control.counters.states.fetch_add(search->states());
  if (finished && !search->finished()) {  // larger than was thought
    sized.large = true;
    sized.pauses = false;
    search = std::make_unique<Decider>(knowledge, sized, conditions_of(inputs));
    finished = search->search(exploration.control.cancel_flag());
    exploration.control.counters.states.fetch_add(search->states());
  }
  Decider& decider = *search;
  obstacle = decider.obstacle();
  if (!finished || !obstacle.empty()) return false;
  for (const Lead& lead : decider.leads()) {
    if (lead.kind != StepKind::Race) continue;
    found = true;
    if (!show(exploration, decider, lead, FailureKind::Race, inputs) && !exploration.control.stopped())
      exploration.sink.not_complete("a predicted data race did not show when it was run");
    if (exploration.control.stopped()) return false;
  }
  return true;
}

/// Races are orderings, not results: they are looked for in all states, once everything is known. Most can be put side
/// by side. Others remain where atomic accesses order less than that, and behind values that were read in a race.
bool find_races(Exploration& exploration, const Behaviour& knowledge, PathInputs* inputs, std::string& obstacle) {
  if (!may_race(knowledge, Layout(knowledge), &exploration.control.cancel_flag())) return true;
  bool found = false;
  if (!find_races(exploration, knowledge, {.reduce = false, .races = true}, found, inputs, obstacle)) return false;
  if (!found && !AfterAccess::is_needed(knowledge)) return true;
  return find_races(exploration, knowledge, {.unordered = true}, found, inputs, obstacle);
}

/// Numbers of paths: nodes that a thread has come to by the same decisions have the same. (What is read of pointers and
/// other values that nobody follows counts as a decision.)
std::vector<u32> paths_to(const Behaviour& knowledge) {
  std::map<std::tuple<u32, ThreadId, u32, u64>, u32> numbers;  // by path before, thread, place, side
  std::vector<u32> path(knowledge.size(), 0);
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    const Node& node = knowledge.node(id);
    if (node.parent == kNoNode) continue;
    const Node& before = knowledge.node(node.parent);
    path[id] = path[node.parent];
    const bool is_needed_value = before.op == Op::Label && before.detail == label_note::kFixed;
    const bool decides = before.op == Op::Label || machine::is_branching(before.op, before.detail);
    if (before.is_symbol || is_needed_value || !decides) continue;
    const auto number = static_cast<u32>(numbers.size() + 1);
    path[id] = numbers.try_emplace({path[node.parent], node.thread, before.site, node.edge}, number).first->second;
  }
  return path;
}

/// How many combinations of paths do the threads of complete runs take?
bool count_paths(Exploration& exploration, const Behaviour& knowledge, PathInputs* inputs, std::string& obstacle) {
  Decider decider(
      knowledge,
      {.merge = false, .exit_matters = !exits_are_harmless(knowledge), .large = is_large(exploration.control)},
      conditions_of(inputs));
  const bool finished = decider.search(exploration.control.cancel_flag());
  exploration.control.counters.states.fetch_add(decider.states());
  obstacle = decider.obstacle();
  if (!finished || !obstacle.empty()) return false;
  const std::vector<u32> path = paths_to(knowledge);
  std::set<std::vector<u32>> distinct;
  for (const std::vector<NodeId>& end : decider.class_ends()) {
    std::vector<u32> combination;
    for (const NodeId node : end) combination.push_back(node < path.size() ? path[node] : 0);
    distinct.insert(std::move(combination));
  }
  exploration.control.counters.paths.store(distinct.size());
  return true;
}

/// One run for each of the program's outputs.
bool show_outcomes(Exploration& exploration, const Behaviour& knowledge, PathInputs* inputs, std::string& obstacle) {
  Tally tally(exploration.control.counters);
  Decider decider(
      knowledge,
      {.exit_matters = !exits_are_harmless(knowledge), .outputs = true, .large = is_large(exploration.control)},
      conditions_of(inputs));
  const bool finished = decider.search(exploration.control.cancel_flag());
  exploration.control.counters.states.fetch_add(decider.states());
  obstacle = decider.obstacle();
  if (!finished || !obstacle.empty()) return false;
  const auto outcomes = decider.outcomes();
  Batch batch;
  for (size_t next = 0; next < outcomes.size();) {
    batch.clear();
    for (size_t room = inputs ? 1 : kBatch; next < outcomes.size() && room > 0; --room, ++next) {
      StepResult last;
      const Path path = decider.path(outcomes[next].second, last);
      if (!path.has_inputs) {
        obstacle = "no inputs were found for an output";
        return false;
      }
      if (inputs) inputs->choose(path.inputs);
      add(batch, path);
    }
    if (exploration.control.take(batch.size()) < batch.size()) {
      exploration.control.stop(StopReason::MaxExecutions);
      return false;
    }
    const bool all = exploration.run(exploration.crew.first(), batch, [&](u32, const RunView& run) {
      tally.add(*run.reply);
      exploration.sink.finished(FinishedRun{run, {}});
    });
    tally.flush();
    if (!all) return false;
  }
  return true;
}

}  // namespace

bool look_for_livelocks(Exploration& exploration, const Behaviour& knowledge) {
  if (!NodeOrder(knowledge).has_cycles) return true;
  Decider decider(knowledge, {.progress = true, .large = is_large(exploration.control)});
  const bool finished = decider.search(exploration.control.cancel_flag());
  exploration.control.counters.states.fetch_add(decider.states());
  const std::vector<Lead> endless = finished ? decider.endless() : std::vector<Lead>();
  if (decider.out_of_memory()) exploration.sink.not_complete("memory: the search has more states than fit");
  if (!finished || decider.out_of_memory()) return false;
  for (const Lead& lead : decider.leads()) {
    if (lead.thread != kNoThread) continue;
    show(exploration, decider, lead, FailureKind::Deadlock, nullptr);
    if (exploration.control.stopped()) return false;
  }
  for (const Lead& lead : endless) {
    if (!show(exploration, decider, lead, FailureKind::Livelock, nullptr) && !exploration.control.stopped())
      exploration.sink.not_complete("a predicted livelock did not show when it was run");
    if (exploration.control.stopped()) return false;
  }
  return true;
}

bool answer_about_complete_runs(Exploration& exploration, const Behaviour& knowledge, PathInputs* inputs,
                                std::string& obstacle) {
  if (exploration.options.classes) {
    Decider decider(knowledge, {.merge = false,
                                .exit_matters = !exits_are_harmless(knowledge),
                                .swaps = false,
                                .large = is_large(exploration.control)});
    const bool finished = decider.search(exploration.control.cancel_flag());
    exploration.control.counters.states.fetch_add(decider.states());
    if (!finished) return false;
    exploration.control.counters.classes.store(decider.classes());
    if (exploration.options.learned) exploration.options.learned(knowledge, decider.class_ends());
  } else if (exploration.options.learned && !knowledge.is_symbolic()) {  // others compare values
    exploration.options.learned(knowledge, {});
  }
  if (exploration.options.paths && knowledge.is_symbolic() && !count_paths(exploration, knowledge, inputs, obstacle))
    return false;
  if (exploration.options.races && !find_races(exploration, knowledge, inputs, obstacle)) return false;
  return !exploration.sink.wants_complete_runs() || show_outcomes(exploration, knowledge, inputs, obstacle);
}

}  // namespace plait
