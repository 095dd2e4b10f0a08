// How a lead is reached: the steps of the search once more, by the threads that really take them.
#include <algorithm>
#include <numeric>
#include <span>

#include "explore/decider.h"

namespace plait {

bool Decider::find_inputs(const std::vector<u32>& conditions, std::vector<InputVariable>& inputs) {
  if (!conditions_ || conditions.empty()) return true;
  solve::InputModel model;
  if (conditions_->find(conditions, model) != solve::InputSolver::Answer::Yes) return false;
  const solve::InputTerms& terms = conditions_->terms();
  for (u32 i = 0; i < terms.inputs(); ++i) {
    if (model[i] == terms.default_of(i)) continue;
    inputs.push_back(terms.input(i));
    inputs.back().value = model[i];
    inputs.back().has_value = 1;
  }
  return true;
}

std::vector<TrailStep> Decider::steps_to(const Lead& lead) const {
  const bool nearest = lead.kind == StepKind::Endless;
  std::vector<u32> trails;
  for (u32 state = lead.state; state != StateStore::kRoot;) {
    const StateStore::Origin& origin = nearest && state != 0 ? nearest_[state] : store_.origin(state);
    trails.push_back(origin.trail);
    state = origin.parent;
  }
  std::vector<TrailStep> steps;
  for (auto trail = trails.rbegin(); trail != trails.rend(); ++trail) {
    const std::vector<TrailStep> more = trails_.steps(*trail);
    steps.insert(steps.end(), more.begin(), more.end());
  }
  if (trails.empty()) steps.push_back({0, 0, lead.sides});
  if (lead.thread != kNoThread && lead.kind != StepKind::Race) steps.push_back({lead.thread, lead.arg, lead.sides});
  return steps;
}

void Decider::reorder(std::vector<ThreadId>& names, const std::vector<ThreadId>& was) {
  std::vector<ThreadId> next(names.size());
  for (size_t t = 0; t < names.size(); ++t) next[t] = names[was[t]];
  names = next;
}

ThreadSet Decider::others_like(ThreadId thread) const {
  return horizon_->symmetry() && thread < layout_.threads() ? horizon_->symmetry()->similar(thread) : 0;
}

PathStep Decider::named(const Product& concrete, const u8* state, const u32* positions, const TrailStep& step,
                        const std::vector<ThreadId>& names) const {
  const ThreadId thread = names[owner_in(step.thread)];
  if (step.thread >= layout_.threads()) {
    NodeId stores[machine::kMostBuffered];
    concrete.stores(state, thread, stores);
    return {buffer_of(thread), 0, true, concrete.position_of_store(thread, step.arg), stores[step.arg]};
  }
  const NodeId at = concrete.cursor(state, thread);
  const bool chosen = concrete.choices(state, thread) != 0;
  const bool other = names_a_thread(knowledge_.node(at)) && step.arg < names.size();
  return {thread, other ? u16{names[step.arg]} : step.arg, chosen, positions[thread], at};
}

Path Decider::path(const Lead& lead, StepResult& last) {
  std::vector<u32> positions(layout_.threads(), 0);
  Product concrete(knowledge_, layout_, nullptr, nullptr, conditions_);
  std::vector<u32> conditions;
  concrete.collect_conditions(&conditions);
  concrete.track(positions.data());
  std::vector<Product::Move> done;
  if (lead.kind == StepKind::Race && after_access_) concrete.record(&done);
  std::vector<u8> state;
  std::vector<TrailStep> moves = steps_to(lead);
  concrete.take_sides(sides_[moves.front().sides]);  // the first is the beginning
  concrete.initial(state, last);
  Path path;
  if (lead.state == StateStore::kRoot) {
    path.has_inputs = find_inputs(conditions, path.inputs);
    return path;
  }
  // Once more with the threads' own nodes, for the positions.
  std::vector<PathStep>& steps = path.steps;
  steps.reserve(moves.size());
  std::vector<ThreadId> names(layout_.threads());
  std::iota(names.begin(), names.end(), ThreadId{0});
  for (const TrailStep& move : std::span(moves).subspan(1)) {
    if (move.thread == kNoThread) {
      reorder(names, orders_[move.sides]);
      continue;
    }
    const PathStep step = named(concrete, state.data(), positions.data(), move, names);
    steps.push_back(step);
    concrete.take_sides(sides_[move.sides]);
    last = concrete.step(state.data(), step.thread, step.thread < layout_.threads() ? step.arg : move.arg);
    // A search that went on may have taken a node for one that has turned out to be another: then this is where the
    // unknown begins.
    if (last.kind != StepKind::Moved) break;
  }
  path.has_inputs = find_inputs(conditions, path.inputs);
  if (last.kind != StepKind::Moved) return path;
  path.claim = lead.claim;
  if (path.claim.is_race()) {
    const auto name = [&](ThreadId actor) {
      return actor < names.size() ? names[actor] : buffer_of(names[owner_of(actor)]);
    };
    path.claim.thread = name(path.claim.thread);
    path.claim.other = name(path.claim.other);
  }
  if (lead.claim.kind == Claim::RaceWithEarlier)
    path.claim.later = after_access_->later_accesses(store_.at(lead.state), lead.thread, done);
  return path;
}

Path Decider::path_of_other(const Path& path, ThreadId thread, ThreadId other, StepResult& last) {
  const Symmetry& symmetry = *horizon_->symmetry();
  std::vector<u32> positions(layout_.threads(), 0);
  Product concrete(knowledge_, layout_, nullptr, nullptr, conditions_);
  concrete.track(positions.data());
  std::vector<u8> state;
  std::vector<ThreadId> names(layout_.threads());
  std::iota(names.begin(), names.end(), ThreadId{0});
  std::swap(names[thread], names[other]);
  Path twin;
  last = {};
  if (!concrete.initial(state, last)) return twin;
  const auto take = [&](ThreadId actor, u16 arg) {
    twin.steps.push_back(named(concrete, state.data(), positions.data(), {actor, arg}, names));
    last = concrete.step(state.data(), twin.steps.back().thread, twin.steps.back().arg);
    return last.kind == StepKind::Moved;
  };
  for (const PathStep& step : path.steps) {
    if (step.thread >= layout_.threads() || symmetry.is_private(step.node)) continue;
    const ThreadId actor = names[step.thread];
    // What only they do themselves need not be as much.
    while (symmetry.is_private(concrete.cursor(state.data(), actor)))
      if (!take(step.thread, 0)) return twin;
    const bool can = (concrete.enabled(state.data()) & bit(actor)) != 0;
    if (!can || !take(step.thread, step.arg)) {
      if (!can) last = {};
      return twin;
    }
  }
  return twin;
}

}  // namespace plait
