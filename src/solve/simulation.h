// Performing steps of a causal model, one at a time: are they possible, do they return what they must?
#pragma once
#include <cstring>
#include <optional>

#include "solve/solver.h"

namespace plait::solve {

/// A state: how far each thread and each buffer is, memory, objects. One flat block, so that it can be a key in full.
class Simulation {
 public:
  Simulation(const CausalModel& model, const Query& query);

  u32 bytes() const { return bytes_; }
  void initial(u8* state) const;

  u32 position(const u8* state, u32 sequence) const {
    u32 at;
    std::memcpy(&at, state + 4 * sequence, 4);
    return at;
  }
  bool is_goal(const u8* state) const;

  /// The result that the step must have.
  u128 wanted(u32 number) const { return number == query_.changed ? query_.result : model_.steps()[number].result; }

  /// Performs the next step of a thread or buffer if it is possible and returns what it must; else the state is spoilt.
  bool try_step(u8* state, u32 sequence, u16 arg) const;
  /// Could try_step perform it, without a choice? `room` is scratch memory.
  bool can_step(const u8* state, u32 sequence, std::vector<u8>& room) const;
  /// Args that the next step can take; 0: no choice.
  ThreadSet choices(const u8* state, u32 sequence) const;
  /// Has what the step waits for been performed (CausalModel::needs)?
  bool has_needs(const u8* state, u32 number) const {
    for (const Need& need : model_.needs(number))
      if (position(state, need.sequence) < need.count) return false;
    return !model_.needs_room(number) || has_room(state, number);
  }
  /// Will the step, a read that is next, return what it must?
  bool returns_wanted(const u8* state, u32 number) const;
  /// What the step, a read that is next, returns, if that is known.
  std::optional<u128> returns(const u8* state, u32 number) const;
  /// Is it known what the step, a write that is next, brings?
  bool brings_known(const u8* state, u32 number) const;
  /// Is one thread the only one that may step?
  bool in_atomic_section(const u8* state) const { return state[flags_offset_ + 1] != 0; }
  /// Has the sequence a step left, within its limit?
  bool has_next(const u8* state, u32 sequence) const { return position(state, sequence) < query_.limit[sequence]; }
  const Step& next(const u8* state, u32 sequence) const { return model_.step(sequence, position(state, sequence)); }
  u32 next_number(const u8* state, u32 sequence) const { return model_.number(sequence, position(state, sequence)); }

 private:
  struct Forwarded;
  bool has_room(const u8* state, u32 number) const;
  bool may_step(const u8* state, u32 sequence, u32 number) const;
  bool may_access(const u8* state, const Step& step, u32 number) const;
  void perform_memory(u8* state, const Step& step, u32 number) const;
  u32 find_changes();
  bool has_changed(const u8* state, u32 read) const {
    const u32 at = changes_[read];
    return at != CausalModel::kNone && (state[changes_offset_ + at / 8] >> (at % 8) & 1);
  }
  bool is_decided_otherwise(const u8* state, u32 number) const;
  void note_change(u8* state, u32 number) const;
  bool is_known(const u8* state, const Step& step, u32 number) const;
  u128 loaded(const u8* state, const Step& step, u32 number) const;
  bool perform_sync(u8* state, const Step& step, u32 number, u16 arg) const;
  ThreadSet ended(const u8* state) const;
  machine::Object* objects(u8* state) const { return reinterpret_cast<machine::Object*>(state + objects_offset_); }
  u8& flag(u8* state, u32 which) const {
    return state[flags_offset_ + which];
  }  // 0: over, 1: thread + 1 in an atomic section

  const CausalModel& model_;
  const Query& query_;
  u32 objects_offset_, memory_offset_, freed_offset_, flags_offset_, unknown_offset_, changes_offset_, bytes_;
  // Relaxed queries: bytes that hold what nobody knows; reads that returned something else, where that matters later.
  std::vector<u32> changes_;                // by step: number of its bit
  std::vector<std::vector<u32>> decisive_;  // by step: the reads that decide whether it happens
};

}  // namespace plait::solve
