#include <algorithm>

#include "solve/simulation.h"

namespace plait::solve {

Query everything(const CausalModel& model) {
  Query query;
  query.required.assign(model.threads(), 0);
  for (u32 t = 0; t < model.threads(); ++t) query.limit.push_back(model.length(t));
  return query;
}

Query changed_read(const CausalModel& model, u32 read, u128 result, std::vector<u32> required) {
  Query query = everything(model);
  required.resize(model.threads(), 0);
  query.required = std::move(required);
  const Step& step = model.steps()[read];
  query.changed = read;
  query.result = result;
  query.required[step.thread] = query.limit[step.thread] = step.index + 1;
  return query;
}

Query adjacent(const CausalModel& model, u32 one, u32 other) {
  Query query = everything(model);
  for (const u32 number : {one, other}) {
    const Step& step = model.steps()[number];
    query.required[step.thread] = query.limit[step.thread] = step.index;
  }
  return query;
}

void shorten(const CausalModel& model, const Query& query, Answer& answer) {
  std::vector<u32> needed = query.required;
  std::vector<bool> bytes(model.memory_bytes(), false), objects(model.initial_objects().size(), false);
  std::vector<bool> keep(answer.order.size(), false);
  for (size_t i = answer.order.size(); i-- > 0;) {
    const Step& step = model.steps()[answer.order[i].step];
    const machine::Operation& operation = step.operation;
    const Op op = operation.op;
    // Their effects are not tied to bytes or objects.
    if (op == Op::AtomicBegin || op == Op::Exit || op == Op::Free || op == Op::Alloc || op == Op::FutexWait ||
        op == Op::TryJoin)
      return;
    const bool memory = machine::is_memory(op) && op != Op::Fence;
    bool wanted = step.index < needed[step.thread];
    if (memory && op != Op::Load)
      for (u32 k = 0; k < operation.size; ++k) wanted |= bytes[step.offset + k];
    if (machine::is_sync(op)) wanted |= objects[operation.object] || (operation.object2 && objects[operation.object2]);
    if (!wanted) continue;
    keep[i] = true;
    needed[step.thread] = std::max(needed[step.thread], step.index + 1);
    if (memory)
      for (u32 k = 0; k < operation.size; ++k) bytes[step.offset + k] = op != Op::Store;
    if (machine::is_sync(op)) {
      objects[operation.object] = true;
      if (operation.object2) objects[operation.object2] = true;
    }
    if (op == Op::Join) needed[operation.location] = model.length(static_cast<u32>(operation.location));
    if (step.index == 0 && model.fork_of(step.thread) != CausalModel::kNone) {
      const Step& fork = model.steps()[model.fork_of(step.thread)];
      needed[fork.thread] = std::max(needed[fork.thread], fork.index + 1);
    }
  }
  std::vector<Answer::Move> shorter;
  for (size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) shorter.push_back(answer.order[i]);
  // Trust, but verify: one simulation costs less than a run that goes astray.
  const Simulation simulation(model, query);
  std::vector<u8> state(simulation.bytes());
  simulation.initial(state.data());
  for (const Answer::Move& move : shorter) {
    const Step& step = model.steps()[move.step];
    if (simulation.position(state.data(), step.thread) != step.index ||
        !simulation.try_step(state.data(), step.thread, move.arg))
      return;
  }
  if (simulation.is_goal(state.data())) answer.order = std::move(shorter);
}

}  // namespace plait::solve
