#include "reference.h"

#include <cstring>

namespace plait::solve {

bool Reference::is_satisfiable(const Query& query) {
  query_ = &query;
  seen_.clear();
  State state;
  state.at.assign(model_.threads(), 0);
  state.buffers.resize(model_.threads());
  state.barriers.assign(model_.threads(), 0);
  state.memory = model_.initial_memory();
  return search(state);
}

bool Reference::search(const State& state) {
  if (!seen_.insert(state).second) return false;
  bool is_goal = true;
  for (u32 t = 0; t < model_.threads(); ++t) is_goal &= state.at[t] >= query_->required[t];
  if (is_goal) return true;
  for (u32 t = 0; t < model_.threads(); ++t) {
    State next = state;
    if (state.at[t] < query_->limit[t] && step(next, t) && search(next)) return true;
    for (size_t i = 0; i < state.buffers[t].size(); ++i) {
      next = state;
      if (flush(next, t, i) && search(next)) return true;
    }
  }
  return false;
}

bool Reference::step(State& state, u32 thread) const {
  const u32 number = model_.number(thread, state.at[thread]);
  const Step& step = model_.steps()[number];
  const machine::Operation& operation = step.operation;
  auto has_performed = [&](const Step& other) { return state.at[other.thread] > other.index; };
  if (state.at[thread] == 0 && model_.fork_of(thread) != CausalModel::kNone &&
      !has_performed(model_.steps()[model_.fork_of(thread)]))
    return false;
  std::vector<Entry>& buffer = state.buffers[thread];
  const bool is_weak = memory_model_ != MemoryModel::Sc;
  const bool drains = (operation.op != Op::Load && operation.op != Op::Begin && operation.op != Op::Store &&
                       operation.op != Op::Fence) ||
                      operation.order == Order::SeqCst;
  if (drains && operation.op != Op::Load && !buffer.empty()) return false;
  ++state.at[thread];
  const u128 wanted = number == query_->changed ? query_->result : step.result;
  switch (operation.op) {
    case Op::Join:
      return state.at[operation.location] == model_.length(static_cast<u32>(operation.location)) &&
             state.buffers[operation.location].empty();
    case Op::Fence: state.barriers[thread] += operation.order == Order::Release; return true;
    case Op::Store:
      if (is_weak && operation.order != Order::SeqCst) {
        state.barriers[thread] += operation.order == Order::Release;
        buffer.push_back({number, state.barriers[thread]});
        return true;
      }
      break;
    case Op::Load:
    case Op::Rmw:
    case Op::Cas: {
      u128 found = 0;
      u8* bytes = reinterpret_cast<u8*>(&found);
      // The cell of a load that shares its bytes with nothing but own stores still has its place in memory.
      std::memcpy(bytes, state.memory.data() + step.offset, operation.size);
      for (const Entry& entry : buffer) {
        const Step& store = model_.steps()[entry.store];
        for (u32 k = 0; k < store.operation.size; ++k)
          if (const u64 byte = store.operation.location + k - operation.location; byte < operation.size)
            bytes[byte] = static_cast<u8>(store.operand >> (8 * k));
      }
      if (found != wanted) return false;
      break;
    }
    default: return true;
  }
  Step performed = step;
  performed.result = wanted;
  u128 value;
  if (model_.written(performed, value)) std::memcpy(state.memory.data() + step.offset, &value, operation.size);
  return true;
}

bool Reference::flush(State& state, u32 thread, size_t index) const {
  std::vector<Entry>& buffer = state.buffers[thread];
  const Step& store = model_.steps()[buffer[index].store];
  for (size_t i = 0; i < index; ++i) {
    const machine::Operation &a = model_.steps()[buffer[i].store].operation, &b = store.operation;
    if (memory_model_ == MemoryModel::Tso || buffer[i].barriers < buffer[index].barriers) return false;
    if (a.location < b.location + b.size && b.location < a.location + a.size) return false;
  }
  const u32 offset = model_.steps()[model_.flush_of(buffer[index].store)].offset;
  std::memcpy(state.memory.data() + offset, &store.operand, store.operation.size);
  buffer.erase(buffer.begin() + static_cast<std::ptrdiff_t>(index));
  return true;
}

}  // namespace plait::solve
