#include <algorithm>

#include "solve/simulation.h"

namespace plait::solve {

Query everything(const CausalModel& model) {
  Query query;
  query.required.assign(model.sequences(), 0);
  for (u32 s = 0; s < model.sequences(); ++s) query.limit.push_back(model.length(s));
  return query;
}

Query changed_read(const CausalModel& model, u32 read, u128 result, std::vector<u32> required) {
  Query query = everything(model);
  required.resize(model.sequences(), 0);
  query.required = std::move(required);
  const Step& step = model.steps()[read];
  query.changed = read;
  query.result = result;
  query.required[step.sequence] = query.limit[step.sequence] = step.index + 1;
  return query;
}

Query adjacent(const CausalModel& model, u32 one, u32 other) {
  Query query = everything(model);
  for (const u32 number : {one, other}) {
    const Step& step = model.steps()[number];
    query.required[step.sequence] = std::max(query.required[step.sequence], step.index);
    query.limit[step.sequence] = step.index;
    // A store is about to reach memory when nothing else has to come first.
    if (model.is_buffer(step.sequence))
      for (const Need& need : model.needs(number))
        query.required[need.sequence] = std::max(query.required[need.sequence], need.count);
  }
  return query;
}

namespace {

bool reaches_goal(const CausalModel& model, const Query& query, const std::vector<Answer::Move>& moves) {
  const Simulation simulation(model, query);
  std::vector<u8> state(simulation.bytes());
  simulation.initial(state.data());
  for (const Answer::Move& move : moves) {
    const Step& step = model.steps()[move.step];
    if (simulation.position(state.data(), step.sequence) != step.index ||
        !simulation.try_step(state.data(), step.sequence, move.arg))
      return false;
  }
  return simulation.is_goal(state.data());
}

}  // namespace

std::vector<Prediction> predictions(const CausalModel& model, const Query& query, const Answer& answer) {
  const Simulation simulation(model, query);
  std::vector<u8> state(simulation.bytes());
  simulation.initial(state.data());
  std::vector<Prediction> all;
  for (const Answer::Move& move : answer.order) {
    const Step& step = model.steps()[move.step];
    const std::optional<u128> result = query.can_change(model, move.step) ? simulation.returns(state.data(), move.step)
                                                                          : std::optional(simulation.wanted(move.step));
    if (!simulation.try_step(state.data(), step.sequence, move.arg)) break;
    all.push_back(
        {move.step, result.has_value(), simulation.brings_known(state.data(), move.step), result.value_or(0)});
  }
  return all;
}

void shorten(const CausalModel& model, const Query& query, Answer& answer) {
  std::vector<u32> needed = query.required;
  std::vector<u32> place(model.steps().size(), CausalModel::kNone);
  for (u32 i = 0; i < answer.order.size(); ++i) place[answer.order[i].step] = i;
  std::vector<bool> bytes(model.memory_bytes(), false), objects(model.initial_objects().size(), false);
  std::vector<bool> keep(answer.order.size(), false);
  for (size_t i = answer.order.size(); i-- > 0;) {
    const Step& step = model.steps()[answer.order[i].step];
    const machine::Operation& operation = step.operation;
    const Op op = operation.op;
    // Their effects are not tied to bytes or objects.
    if (op == Op::AtomicBegin || op == Op::Exit || op == Op::Free || op == Op::Alloc || op == Op::FutexWait) return;
    const bool memory = machine::is_memory(op) && op != Op::Fence && !step.is_buffered;
    bool wanted = step.index < needed[step.sequence];
    if (memory && op != Op::Load)
      for (u32 k = 0; k < operation.size; ++k) wanted |= bytes[step.offset + k];
    if (machine::is_sync(op)) wanted |= objects[operation.object] || (operation.object2 && objects[operation.object2]);
    if (!wanted) continue;
    keep[i] = true;
    auto need = [&](u32 sequence, u32 count) { needed[sequence] = std::max(needed[sequence], count); };
    need(step.sequence, step.index + 1);
    for (const Need& other : model.needs(answer.order[i].step)) need(other.sequence, other.count);
    // What was in memory when a load looked must be in memory again, or the load would take it from the buffer.
    for (const u32 flush : model.forwarded(answer.order[i].step))
      if (place[flush] < i) need(model.steps()[flush].sequence, model.steps()[flush].index + 1);
    auto is_from_buffer = [&](u32 k) {
      for (const u32 flush : model.forwarded(answer.order[i].step))
        if (place[flush] > i &&
            operation.location + k - model.steps()[flush].operation.location < model.steps()[flush].operation.size)
          return true;
      return false;
    };
    if (memory)
      for (u32 k = 0; k < operation.size; ++k)
        if (!is_from_buffer(k)) bytes[step.offset + k] = op != Op::Store && op != Op::Flush;
    if (machine::is_sync(op)) {
      objects[operation.object] = true;
      if (operation.object2) objects[operation.object2] = true;
    }
    if (op == Op::Join) needed[operation.location] = model.length(static_cast<u32>(operation.location));
    if (step.index == 0 && !model.is_buffer(step.sequence) && model.fork_of(step.sequence) != CausalModel::kNone) {
      const Step& fork = model.steps()[model.fork_of(step.sequence)];
      need(fork.sequence, fork.index + 1);
    }
  }
  std::vector<Answer::Move> shorter;
  for (size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) shorter.push_back(answer.order[i]);
  // Trust, but verify: one simulation costs less than a run that goes astray.
  if (reaches_goal(model, query, shorter)) answer.order = std::move(shorter);
}

}  // namespace plait::solve
