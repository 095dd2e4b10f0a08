// What others can still do as long as some threads stand still.
//
// A thread that takes no step does not end, and gives back none of its locks. So nobody gets past a join of it, or past
// an operation that takes one of these locks. Each end of a thread and each lock is a *blocker*; the future of a node
// up to a blocker is what can happen from there on while the blocker holds. Data that is only touched under a lock is
// in no such future, nor is what main does behind the joins.
//
// Locks are mutexes and the writers' side of reader-writer locks; the first kMostLocks of the program.
#pragma once
#include "knowledge/futures.h"

namespace plait {

class Blockers {
 public:
  Blockers(const Behaviour& knowledge, const Layout& layout, const Futures& futures);

  static constexpr u32 kMostLocks = 64;
  /// Objects that are such locks.
  const std::vector<u32>& locks() const { return locks_; }
  u32 of_end(u32 thread) const { return thread; }
  u32 of_lock(u32 lock) const { return threads_ + lock; }

  // Futures as rows of words() words: resources read, resources written, whether it conflicts with everything (1), and
  // which of the locks it may begin anew or destroy (a bit each).
  u32 words() const { return words_; }
  const u64* future(NodeId id) const { return free_.data() + static_cast<size_t>(id) * words_; }
  const u64* future_up_to(u32 blocker, NodeId id) const {
    const u32 row = rows_of_[blocker].empty() ? 0 : rows_of_[blocker][id];
    return row ? rows_.data() + static_cast<size_t>(row - 1) * words_ : future(id);
  }

  /// Is all that was decided by `before` (the same knowledge, earlier) still right?
  bool confirms(const Blockers& before) const;

 private:
  void find_locks(const Layout& layout);
  u64 resets_by(const Node& node, const Layout& layout) const;
  /// What an operation does, and which of its edges are open, while the blocker holds.
  bool is_stopped(u32 blocker, const Node& node) const;
  bool is_open(u32 blocker, const Node& node, u64 result) const;
  bool takes(u64 key, const Node& node) const;
  void add_free_futures(const Futures& futures, const Layout& layout);
  std::vector<NodeId> nodes_before(u32 blocker) const;
  void add_futures_up_to(u32 blocker, const Futures& futures);
  /// The rows behind the node, as far as the blocker lets them.
  template <class F>
  void for_each_next(u32 blocker, const Node& node, F f) const;
  bool add(u64* row, const u64* more) const {
    bool grew = false;
    for (u32 w = 0; w < words_; ++w) {
      grew |= (more[w] & ~row[w]) != 0;
      row[w] |= more[w];
    }
    return grew;
  }

  static constexpr size_t kMostWords = size_t{1} << 23;  // of all rows; blockers beyond that block nothing

  const Behaviour& knowledge_;
  u32 threads_;
  u32 words_;
  std::vector<NodeId> order_, forks_;
  std::vector<u32> locks_;
  std::vector<u64> keys_;                  // of the locks
  std::vector<u64> own_, free_;            // rows by node
  std::vector<std::vector<u32>> rows_of_;  // by blocker and node: its row, or 0 where the blocker stops nothing
  std::vector<u64> rows_;
};

}  // namespace plait
