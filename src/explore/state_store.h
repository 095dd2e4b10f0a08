// States that a search has seen: fixed-size blocks in one growing array, found through a hash table of indices. Keys
// are compared in full: a state is never taken for another. Each remembers how it was reached.
#pragma once
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "trace/types.h"

namespace plait {

class StateStore {
 public:
  struct Origin {
    u32 parent;
    u16 arg;
    ThreadId thread;
  };
  static constexpr u32 kRoot = 0xffffffff;

  explicit StateStore(u32 bytes) : bytes_(bytes), table_(1u << 10, 0) {}

  /// The state's number, and whether it is new.
  std::pair<u32, bool> add(const u8* state, Origin origin) {
    if ((count_ + 1) * 2 > table_.size()) grow();
    const u64 hash = XXH3_64bits(state, bytes_);
    const u64 tag = hash & kTag;  // tells most other states apart without looking at them
    for (size_t slot = hash & (table_.size() - 1);; slot = (slot + 1) & (table_.size() - 1)) {
      const u64 entry = table_[slot];
      if (entry == 0) {
        table_[slot] = tag | ++count_;
        data_.insert(data_.end(), state, state + bytes_);
        origins_.push_back(origin);
        return {count_ - 1, true};
      }
      const u32 number = static_cast<u32>(entry) - 1;
      if ((entry & kTag) == tag && std::memcmp(at(number), state, bytes_) == 0) return {number, false};
    }
  }

  const u8* at(u32 number) const { return data_.data() + static_cast<size_t>(number) * bytes_; }
  const Origin& origin(u32 number) const { return origins_[number]; }
  u32 size() const { return count_; }
  size_t memory() const { return data_.capacity() + origins_.capacity() * sizeof(Origin) + table_.capacity() * 8; }

 private:
  static constexpr u64 kTag = ~u64{0} << 32;

  void grow() {
    std::vector<u64> bigger(table_.size() * 4, 0);
    for (u32 number = 0; number < count_; ++number) {
      const u64 hash = XXH3_64bits(at(number), bytes_);
      size_t slot = hash & (bigger.size() - 1);
      while (bigger[slot]) slot = (slot + 1) & (bigger.size() - 1);
      bigger[slot] = (hash & kTag) | (number + 1);
    }
    table_.swap(bigger);
  }

  u32 bytes_;
  u32 count_ = 0;
  std::vector<u8> data_;
  std::vector<Origin> origins_;
  std::vector<u64> table_;  // part of the hash, and the state's number + 1; 0: empty
};

}  // namespace plait
