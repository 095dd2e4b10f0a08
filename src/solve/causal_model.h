// The maximal causal model of one trace (Huang, PLDI 2015, section 3): all interleavings that follow from it, whatever
// the program.
//
// This folder owns questions about the order of a trace's events ("can this read return 3 while those keep their
// values?"), two solvers that answer them, and their text form in SMT-LIB. It depends on machine/ and trace/ only.
//
// An event of the model is a step of a thread with the result that it received. By local determinism a thread performs
// the same events again as long as it receives the same results, so every order in which each event is possible
// (machine/) and returns its result can be run:
//   Phi_mhb   program order, fork before begin, end before join; under TSO and PSO (004 §4.1) Phi_mem and Phi_sync:
//             a buffered store has two events, the store and its flush. Flushes are no events of the thread but of a
//             buffer, a sequence of its own: one per thread if stores leave it in order (TSO), else one per thread and
//             bytes (PSO)
//   Phi_lock  each operation on a synchronisation object is enabled and returns what it returned
//   Phi_rw    each read returns the same value, whichever write it comes from: the newest store in its own buffer, else
//             memory
#pragma once
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/memory_model.h"
#include "machine/sync.h"
#include "solve/dependence.h"
#include "trace/event.h"

namespace plait::solve {

/// A step of a thread and what it received.
struct Step {
  machine::Operation operation;       // objects are numbered by the model
  u128 result = 0;                    // value read, outcome of a try-lock ...; 0 for operations that return nothing
  u128 operand = 0, expected = 0;     // of memory operations, with all 16 bytes
  ThreadId thread = 0;                // a flush: that of the store
  u32 sequence = 0;                   // the thread's or the buffer's
  u32 index = 0;                      // in its sequence
  u32 position = 0;                   // its name in schedules
  u32 first_cell = 0, last_cell = 0;  // memory: cells touched, [first, last)
  u32 offset = 0;                     // memory: of its first byte in the state
  u64 state_low = 0, state_high = 0;  // fingerprint of the thread in front of the step, if the trace has them
  u16 arg = 0;
  bool is_point = false;
  bool is_read = false;      // its result depends on the order
  bool is_buffered = false;  // a store whose write is its flush
};

/// A step that waits for another sequence: `count` steps of it must have been performed.
struct Need {
  u32 sequence, count;
};

/// Bytes that overlapping accesses connect.
struct Cell {
  u64 begin, end;
  u32 offset;
};

class CausalModel {
 public:
  /// Of a whole trace. Events of private memory must have been left out.
  explicit CausalModel(std::span<const Event> events, const machine::MemoryRules& memory = {});

  /// Different for every model, so that solvers can keep what they know about it.
  u64 id() const { return id_; }
  const machine::MemoryRules& memory() const { return memory_; }
  u32 threads() const { return threads_; }
  /// The threads (by their numbers), then the buffers.
  u32 sequences() const { return static_cast<u32>(steps_of_.size()); }
  /// The thread whose stores go through this buffer.
  ThreadId owner(u32 sequence) const { return owners_[sequence]; }
  bool is_buffer(u32 sequence) const { return sequence >= threads_; }
  const std::vector<Step>& steps() const { return steps_; }  // in the observed order
  u32 length(u32 sequence) const { return static_cast<u32>(steps_of_[sequence].size()); }
  /// Number of the `index`-th step of `sequence`.
  u32 number(u32 sequence, u32 index) const { return steps_of_[sequence][index]; }
  const Step& step(u32 sequence, u32 index) const { return steps_[steps_of_[sequence][index]]; }

  /// What must have been performed before step `number`, program order, forks and joins aside: a flush comes after its
  /// store and, under PSO, after older ones of overlapping bytes or behind a barrier; a draining step after the flushes
  /// of all stores before it.
  std::span<const Need> needs(u32 number) const { return needs_[number]; }
  /// The flushes of the load's thread's buffered stores before it that it may take bytes from, newest first.
  std::span<const u32> forwarded(u32 number) const { return forwarded_[number]; }
  /// PSO: the stores of a thread leave its buffer in many orders, and this one may find it full.
  bool needs_room(u32 number) const { return needs_room_[number]; }
  /// The buffers of a thread: sequences [first, second).
  std::pair<u32, u32> buffers(u32 thread) const { return buffers_[thread]; }
  /// The flush of a buffered store.
  u32 flush_of(u32 number) const { return flushes_[number]; }

  const std::vector<Cell>& cells() const { return cells_; }
  u32 memory_bytes() const { return static_cast<u32>(initial_memory_.size()); }
  const std::vector<u8>& initial_memory() const { return initial_memory_; }
  const std::vector<machine::Object>& initial_objects() const { return initial_objects_; }
  /// Which thread forks this one, and its step's number; kNone for main.
  static constexpr u32 kNone = 0xffffffff;
  u32 fork_of(u32 thread) const { return forks_[thread]; }

  /// Results that the read `number` can have by what the trace's writes (or the machine) say, its own not included.
  std::vector<u128> other_results(u32 number) const;

  /// The value that a write leaves when the operation's result is as observed; Cas that fails: false.
  bool written(const Step& step, u128& value) const;

  /// Which reads may return something else. Nobody knows: none.
  const Dependence* dependence() const { return dependence_.get(); }
  void depend(std::shared_ptr<const Dependence> dependence) { dependence_ = std::move(dependence); }

  /// As if the step had returned this: for solvers that state what its thread does by it.
  void set_result(u32 number, u128 result);

 private:
  static u64 next_id();
  void add(const Event& event, const Event* high);
  void add_flush(const Step& store, u128 overwritten);
  bool drains(const Step& step) const;
  void find_flushes();
  void find_buffers();
  void forward(u32 number, const std::vector<u32>& stores);
  bool is_from_buffer(u32 number, u32 k) const;
  void find_cells();
  void find_initial_memory();

  u64 id_ = next_id();
  std::vector<Step> steps_;
  machine::MemoryRules memory_;
  u32 threads_ = 0;
  u32 observed_ = 0;                          // steps of the trace; behind them flushes that it does not have
  std::vector<std::vector<u32>> steps_of_;    // by sequence
  std::vector<ThreadId> owners_;              // by sequence
  std::vector<std::vector<Need>> needs_;      // by step
  std::vector<std::vector<u32>> forwarded_;   // by step
  std::vector<u32> flushes_;                  // by step
  std::vector<bool> needs_room_;              // by step
  std::vector<std::pair<u32, u32>> buffers_;  // by thread
  std::vector<Cell> cells_;
  std::vector<u8> initial_memory_;
  std::vector<machine::Object> initial_objects_;
  std::unordered_map<u64, u32> object_numbers_;
  std::vector<u32> forks_;
  std::shared_ptr<const Dependence> dependence_;
  std::vector<u128> overwritten_;  // by step: what was in memory before a store
};

}  // namespace plait::solve
