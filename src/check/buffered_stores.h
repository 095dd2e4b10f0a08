// What became of the stores of a recorded run under TSO and PSO: which of them went to a buffer, which flush took each
// to memory, and whether that mattered. Indices are those of the events.
//
// A store is executed as soon as its thread gets there, which nobody notices, and flushed later. It is told from a
// store under SC only if its thread went on in between and then others stepped:
//   AtOnce   no other thread stepped before its flush: as if memory had changed when it was executed
//   Late     its own thread did nothing but store before its flush: as if it had been executed when it was flushed
//   Delayed  all others
// A run without delayed stores is a run under SC.
#pragma once
#include <span>
#include <vector>

#include "machine/memory_model.h"

namespace plait {

class BufferedStores {
 public:
  static constexpr size_t kNone = ~size_t{0};
  enum class Fate : u8 { NotBuffered, AtOnce, Late, Delayed };

  BufferedStores(std::span<const Event>, const machine::MemoryRules&);

  /// Of a store; a flush has the fate of its store.
  Fate fate(size_t event) const { return entries_[event].fate; }
  /// Of a buffered store: its flush, or kNone if it was still in the buffer when the run ended. Of a flush: its store.
  size_t partner(size_t event) const { return entries_[event].partner; }
  /// How many stores were delayed.
  u32 delayed() const { return delayed_; }

 private:
  struct Entry {
    size_t partner = kNone;
    Fate fate = Fate::NotBuffered;
  };
  void set(size_t store, Fate fate);
  void keep_program_order(std::span<const Event>);

  std::vector<Entry> entries_;
  u32 delayed_ = 0;
};

}  // namespace plait
