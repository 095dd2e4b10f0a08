// A hash table that is filled and emptied once per run, thousands of times a second: emptying it costs nothing, and
// what its values have allocated is used again by the next run. Open addressing; nothing is ever erased alone.
#pragma once
#include <vector>

#include "trace/types.h"

namespace plait {

/// `Value` has a function clear() and a state after it that equals a new one.
template <class Value>
class RunTable {
 public:
  void clear() {
    ++run_;
    used_ = 0;
  }
  bool empty() const { return used_ == 0; }

  /// Null: the key is not there. Valid until the next call of at().
  Value* find(u64 key) {
    if (used_ == 0) return nullptr;
    Slot& slot = slot_of(key);
    return slot.run == run_ ? &slot.value : nullptr;
  }
  /// Adds the key if it is not there.
  Value& at(u64 key) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slot_of(key);
    if (slot.run != run_) {
      slot.run = run_;
      slot.key = key;
      slot.value.clear();
      ++used_;
    }
    return slot.value;
  }

 private:
  struct Slot {
    u64 key = 0;
    u64 run = 0;  // slots of earlier runs are free
    Value value;
  };

  /// Where the key is, or a free slot for it.
  Slot& slot_of(u64 key) {
    const u64 mask = slots_.size() - 1;
    u64 at = (key * 0x9e3779b97f4a7c15ull) >> 32 & mask;
    while (slots_[at].run == run_ && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old)
      if (slot.run == run_) slot_of(slot.key) = std::move(slot);
  }

  std::vector<Slot> slots_;  // a power of two
  u64 used_ = 0;
  u64 run_ = 1;
};

}  // namespace plait
