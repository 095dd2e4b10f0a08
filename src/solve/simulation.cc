#include "solve/simulation.h"

#include <algorithm>

#include "machine/memory_step.h"

namespace plait::solve {

Simulation::Simulation(const CausalModel& model, const Query& query) : model_(model), query_(query) {
  objects_offset_ = (model.sequences() * 4 + 15) / 16 * 16;
  memory_offset_ = objects_offset_ + static_cast<u32>(model.initial_objects().size() * sizeof(machine::Object));
  freed_offset_ = memory_offset_ + model.memory_bytes();
  flags_offset_ = freed_offset_ + static_cast<u32>(model.cells().size());
  unknown_offset_ = changes_offset_ = flags_offset_ + 2;
  const u32 changes = query.relaxed ? find_changes() : 0;
  bytes_ = (changes_offset_ + changes + 7) / 8 * 8;
}

/// How many bytes they need.
u32 Simulation::find_changes() {
  const Dependence& dependence = *model_.dependence();
  const u32 count = static_cast<u32>(model_.steps().size());
  changes_.assign(count, CausalModel::kNone);
  decisive_.assign(count, {});
  std::vector<bool> matters(count, false);
  for (u32 number = 0; number < count; ++number) {
    const Step& step = model_.steps()[number];
    if (step.index < query_.limit[step.sequence])
      for (const u32 read : dependence.brings[number]) matters[read] = true;
  }
  u32 bits = 0;
  for (u32 number = 0; number < count; ++number) {
    if (!query_.can_change(model_, number)) continue;
    const Step& step = model_.steps()[number];
    const u32 until = dependence.until[number];
    if (until < query_.limit[step.thread]) {
      matters[number] = true;
      decisive_[model_.number(step.thread, until)].push_back(number);
    }
    if (matters[number]) changes_[number] = bits++;
  }
  changes_offset_ = unknown_offset_ + model_.memory_bytes();
  return (bits + 7) / 8;
}

bool Simulation::is_decided_otherwise(const u8* state, u32 number) const {
  return query_.relaxed && std::any_of(decisive_[number].begin(), decisive_[number].end(),
                                       [&](u32 read) { return has_changed(state, read); });
}

bool Simulation::brings_known(const u8* state, u32 number) const {
  if (!query_.relaxed) return true;
  const std::vector<u32>& brings = model_.dependence()->brings[number];
  return std::none_of(brings.begin(), brings.end(), [&](u32 read) { return has_changed(state, read); });
}

/// The read is about to return something that may differ from what it did.
void Simulation::note_change(u8* state, u32 number) const {
  if (!query_.can_change(model_, number) || changes_[number] == CausalModel::kNone) return;
  if (!returns_wanted(state, number))
    state[changes_offset_ + changes_[number] / 8] |= static_cast<u8>(1u << (changes_[number] % 8));
}

/// Are all bytes known that the load is going to see?
bool Simulation::is_known(const u8* state, const Step& step, u32 number) const {
  if (!query_.relaxed) return true;
  for (u32 k = 0; k < step.operation.size; ++k) {
    const u64 address = step.operation.location + k;
    bool known = state[unknown_offset_ + step.offset + k] == 0;
    for (const u32 flush : model_.forwarded(number)) {  // newest first
      const Step& waiting = model_.steps()[flush];
      if (position(state, waiting.sequence) > waiting.index ||
          address - waiting.operation.location >= waiting.operation.size)
        continue;
      known = brings_known(state, flush);
      break;
    }
    if (!known) return false;
  }
  return true;
}

std::optional<u128> Simulation::returns(const u8* state, u32 number) const {
  const Step& step = model_.steps()[number];
  if (!is_known(state, step, number)) return std::nullopt;
  return loaded(state, step, number);
}

bool Simulation::returns_wanted(const u8* state, u32 number) const {
  const std::optional<u128> result = returns(state, number);
  return result && *result == wanted(number);
}

void Simulation::initial(u8* state) const {
  std::memset(state, 0, bytes_);
  std::memcpy(state + objects_offset_, model_.initial_objects().data(),
              model_.initial_objects().size() * sizeof(machine::Object));
  if (model_.memory_bytes()) std::memcpy(state + memory_offset_, model_.initial_memory().data(), model_.memory_bytes());
}

bool Simulation::is_goal(const u8* state) const {
  for (u32 s = 0; s < model_.sequences(); ++s)
    if (position(state, s) < query_.required[s]) return false;
  return true;
}

ThreadSet Simulation::ended(const u8* state) const {
  ThreadSet set = 0;
  for (u32 t = 0; t < model_.threads(); ++t) {
    const u32 at = position(state, t);
    if (at > 0 && model_.step(t, at - 1).operation.op == Op::End) set |= bit(static_cast<ThreadId>(t));
  }
  return set;
}

/// The stores that a load can take bytes from: those of its thread's buffer that matter to it.
struct Simulation::Forwarded {
  const Simulation& simulation;
  const u8* state;
  std::span<const u32> flushes;  // newest first
  u32 size() const { return static_cast<u32>(flushes.size()); }
  machine::Waiting operator[](u32 i) const {
    const Step& flush = simulation.model_.steps()[flushes[flushes.size() - 1 - i]];
    const bool has_left = simulation.position(state, flush.sequence) > flush.index;
    return {flush.operation.location, flush.operand, has_left ? 0u : flush.operation.size, false};
  }
};

u128 Simulation::loaded(const u8* state, const Step& step, u32 number) const {
  u128 found = 0;
  std::memcpy(&found, state + memory_offset_ + step.offset, step.operation.size);
  return machine::load(Forwarded{*this, state, model_.forwarded(number)}, step.operation.location, step.operation.size,
                       found);
}

bool Simulation::may_access(const u8* state, const Step& step, u32 number) const {
  const Op op = step.operation.op;
  if (step.is_buffered) return true;
  for (u32 cell = step.first_cell; cell < step.last_cell; ++cell)
    if (state[freed_offset_ + cell]) return false;
  if (op != Op::Load && op != Op::Rmw && op != Op::Cas) return true;
  return query_.can_change(model_, number) || returns_wanted(state, number);
}

void Simulation::perform_memory(u8* state, const Step& step, u32 number) const {
  const Op op = step.operation.op;
  if (op == Op::Free)
    for (u32 cell = step.first_cell; cell < step.last_cell; ++cell) state[freed_offset_ + cell] = 1;
  if (op == Op::Load || op == Op::Rmw) note_change(state, number);
  if (op == Op::Load || op == Op::Fence || op == Op::Free) return;
  u128 value = step.operand;
  if (op == Op::Rmw || op == Op::Cas) {
    Step changed = step;
    changed.result = wanted(number);
    if (!model_.written(changed, value)) return;
  } else if (step.is_buffered) {
    return;
  }
  if (query_.relaxed) {
    const bool known = brings_known(state, number);
    std::memset(state + unknown_offset_ + step.offset, known ? 0 : 1, step.operation.size);
    if (!known) value = 0;
  }
  std::memcpy(state + memory_offset_ + step.offset, &value, step.operation.size);
}

bool Simulation::perform_sync(u8* state, const Step& step, u32 number, u16 arg) const {
  machine::SyncState sync{objects(state), ended(state)};
  machine::Operation operation = step.operation;
  if (!machine::enabled(sync, step.thread, operation)) return false;
  if (operation.op == Op::FutexWait) {
    u32 word;
    std::memcpy(&word, state + memory_offset_ + step.offset, 4);
    if (!is_known(state, step, number)) return false;
    operation.extra = word;
  }
  const machine::Outcome outcome = machine::perform(sync, step.thread, operation, arg);
  return outcome.misuse == machine::Misuse::None && outcome.value == static_cast<u64>(wanted(number));
}

ThreadSet Simulation::choices(const u8* state, u32 sequence) const {
  const Step& step = next(state, sequence);
  const Op op = step.operation.op;
  if (op != Op::Signal && op != Op::FutexNotify && op != Op::CondWake) return 0;
  machine::SyncState sync{objects(const_cast<u8*>(state)), 0};
  return machine::choices(sync, step.thread, step.operation);
}

/// Is the buffer of the store's thread not full?
bool Simulation::has_room(const u8* state, u32 number) const {
  const ThreadId thread = model_.steps()[number].thread;
  const u32 at = position(state, thread);
  u32 waiting = 0;
  const auto [first, last] = model_.buffers(thread);
  for (u32 s = first; s < last; ++s)
    for (u32 k = position(state, s); k < model_.length(s) && model_.needs(model_.number(s, k)).front().count <= at; ++k)
      ++waiting;
  return waiting < model_.memory().room;
}

bool Simulation::may_step(const u8* state, u32 sequence, u32 number) const {
  const Step& step = model_.steps()[number];
  if (state[flags_offset_]) return false;
  const u8 owner = state[flags_offset_ + 1];
  if (owner && owner != step.thread + 1) return false;
  if (step.index == 0 && !model_.is_buffer(sequence) && model_.fork_of(sequence) != CausalModel::kNone) {
    const Step& fork = model_.steps()[model_.fork_of(sequence)];  // not before its fork
    if (position(state, fork.sequence) <= fork.index) return false;
  }
  return has_needs(state, number) && !is_decided_otherwise(state, number);
}

bool Simulation::can_step(const u8* state, u32 sequence, std::vector<u8>& room) const {
  const u32 number = next_number(state, sequence);
  const Step& step = model_.steps()[number];
  if (machine::is_memory(step.operation.op))
    return may_step(state, sequence, number) && may_access(state, step, number);
  room.assign(state, state + bytes_);
  return try_step(room.data(), sequence, 0);
}

bool Simulation::try_step(u8* state, u32 sequence, u16 arg) const {
  const u32 at = position(state, sequence);
  const u32 number = model_.number(sequence, at);
  const Step& step = model_.steps()[number];
  if (!may_step(state, sequence, number)) return false;
  const Op op = step.operation.op;
  if (machine::is_memory(op)) {
    if (!may_access(state, step, number)) return false;
    perform_memory(state, step, number);
  } else if (machine::is_sync(op)) {
    if (!perform_sync(state, step, number, arg)) return false;
  } else if (op == Op::Join) {
    const auto child = static_cast<u32>(step.operation.location);
    if (child >= model_.threads() || !(ended(state) & bit(static_cast<ThreadId>(child)))) return false;
  } else if (op == Op::AtomicBegin) {
    flag(state, 1) = static_cast<u8>(step.thread + 1);
  } else if (op == Op::AtomicEnd) {
    flag(state, 1) = 0;
  } else if (op == Op::Exit || op == Op::Assume) {
    flag(state, 0) = 1;
  } else if (op == Op::Alloc) {
    for (u32 i = step.first_cell; i < step.last_cell; ++i) {
      const Cell& cell = model_.cells()[i];
      if (step.operation.detail != machine::kLocalVariable)
        std::memset(state + memory_offset_ + cell.offset, static_cast<int>(step.expected), cell.end - cell.begin);
      if (query_.relaxed) std::memset(state + unknown_offset_ + cell.offset, 0, cell.end - cell.begin);
      state[freed_offset_ + i] = 0;
    }
  }
  const u32 after = at + 1;
  std::memcpy(state + 4 * sequence, &after, 4);
  return true;
}

}  // namespace plait::solve
