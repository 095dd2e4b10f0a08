// States that a search has seen: fixed-size blocks in pieces of memory that stay where they are, found through a hash
// table of indices. Keys are compared in full: a state is never taken for another. Each remembers how it was reached.
#pragma once
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "trace/types.h"

namespace plait {

class StateStore {
 public:
  struct Origin {
    u32 parent;
    u32 trail;  // the steps from there (trails.h)
  };
  static constexpr u32 kRoot = 0xffffffff;

  explicit StateStore(u32 bytes)
      : bytes_(bytes),
        piece_bits_(static_cast<u32>(std::bit_width(std::max<u64>(kPiece / std::max(bytes, 1u), 16)) - 1)),
        table_(1u << 10, 0) {}

  /// The state's number, and whether it is new.
  std::pair<u32, bool> add(const u8* state, Origin origin) {
    if ((count_ + 1) * 2 > table_.size()) grow();
    const u64 hash = XXH3_64bits(state, bytes_);
    const u64 tag = hash & kTag;  // tells most other states apart without looking at them
    for (size_t slot = hash & (table_.size() - 1);; slot = (slot + 1) & (table_.size() - 1)) {
      const u64 entry = table_[slot];
      if (entry == 0) {
        table_[slot] = tag | ++count_;
        if (((count_ - 1) & (states_in_piece() - 1)) == 0)
          pieces_.push_back(std::make_unique_for_overwrite<u8[]>(static_cast<size_t>(bytes_) << piece_bits_));
        std::memcpy(place(count_ - 1), state, bytes_);
        origins_.push_back(origin);
        return {count_ - 1, true};
      }
      const u32 number = static_cast<u32>(entry) - 1;
      if ((entry & kTag) == tag && std::memcmp(at(number), state, bytes_) == 0) return {number, false};
    }
  }

  u64 hash(const u8* state) const { return XXH3_64bits(state, bytes_); }
  bool contains(const u8* state, u64 hash) const {
    for (size_t slot = hash & (table_.size() - 1); table_[slot]; slot = (slot + 1) & (table_.size() - 1)) {
      const u64 entry = table_[slot];
      if ((entry & kTag) == (hash & kTag) && std::memcmp(at(static_cast<u32>(entry) - 1), state, bytes_) == 0)
        return true;
    }
    return false;
  }

  const u8* at(u32 number) const { return place(number); }
  const Origin& origin(u32 number) const { return origins_[number]; }
  u32 size() const { return count_; }
  /// What it will need all at once before `more` states have been added, beside what it has.
  size_t next_growth(size_t more) const {
    size_t bytes = 0;
    if (origins_.size() + more > origins_.capacity()) bytes += origins_.capacity() * sizeof(Origin);
    if ((count_ + more) * 2 > table_.size()) bytes += bigger_table() * 8;
    return bytes;
  }

 private:
  static constexpr u64 kTag = ~u64{0} << 32;

  static constexpr u32 kPiece = 1u << 18;     // bytes, about
  static constexpr size_t kLarge = 1u << 22;  // entries of a table that is not quadrupled any more

  u32 states_in_piece() const { return 1u << piece_bits_; }
  u8* place(u32 number) const {
    return pieces_[number >> piece_bits_].get() + static_cast<size_t>(number & (states_in_piece() - 1)) * bytes_;
  }
  size_t bigger_table() const { return table_.size() * (table_.size() < kLarge ? 4 : 2); }

  void grow() {
    std::vector<u64> bigger(bigger_table(), 0);
    for (u32 number = 0; number < count_; ++number) {
      const u64 hash = XXH3_64bits(at(number), bytes_);
      size_t slot = hash & (bigger.size() - 1);
      while (bigger[slot]) slot = (slot + 1) & (bigger.size() - 1);
      bigger[slot] = (hash & kTag) | (number + 1);
    }
    table_.swap(bigger);
  }

  u32 bytes_;
  u32 piece_bits_;  // states in a piece: a power of two
  u32 count_ = 0;
  std::vector<std::unique_ptr<u8[]>> pieces_;
  std::vector<Origin> origins_;
  std::vector<u64> table_;  // part of the hash, and the state's number + 1; 0: empty
};

}  // namespace plait
