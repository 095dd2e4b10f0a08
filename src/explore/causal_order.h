// The causal order of one trace (Mazurkiewicz): which events had to come before which, and which pairs could have come
// the other way round. Partial-order reduction (dpor.cc, bounded_dpor.cc) is built on it.
//
// An event comes after another one if it follows it in its thread, was made possible by it (fork, join), or is
// dependent on it (machine/dependence.h). Under TSO and PSO each flush is an actor of its own with one step, which its
// store starts: stores of one buffer may leave it in different orders, so a buffer does not do one thing after the
// other (store_order.h says what a flush waits for, and what waits for it). Kept for a growing trace: explorers
// truncate it to a prefix and append what the next run does after that.
//
// Two clocks per event: `before` is what the thread had to wait for before it stood in front of the operation, `after`
// adds what the operation itself depends on. A clock counts the events of each chain: a thread, or flushes each of
// which happens after the one before it.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/store_order.h"
#include "machine/dependence.h"
#include "machine/sync.h"
#include "trace/event.h"

namespace plait {

/// An operation as the machine sees it, made from events. Objects are numbered by their addresses.
class Operations {
 public:
  machine::Operation of(const Event& event);
  /// An operation of this thread that somebody else has made from an event: with numbers of objects as here.
  void renumber(ThreadId thread, machine::Operation& operation);
  /// The number of an object that an operation has used, else 0.
  u32 find(u64 key) const {
    auto found = numbers_.find(key);
    return found == numbers_.end() ? 0 : found->second;
  }
  u32 objects() const { return static_cast<u32>(numbers_.size()) + 1; }

 private:
  u32 number(u64 key);
  std::unordered_map<u64, u32> numbers_;
};

/// Who takes a step: a thread, or a store on its way to memory (the buffer, and the store's position).
struct Actor {
  ThreadId thread;
  u32 store;
  bool operator==(const Actor&) const = default;
};
inline Actor actor_of(ThreadId thread, Op op, u32 position) { return {thread, op == Op::Flush ? position : 0}; }

using Clock = std::vector<u32>;

struct TraceItem {
  Event event;
  machine::Operation operation;
  u32 chain = 0, ordinal = 0;  // ordinal: in its chain, from 1
  bool is_held_up = false;     // pending, but stores of its thread have to be flushed first
  Clock before, after;
  Actor actor() const { return actor_of(event.thread, event.op, event.position); }
  bool is_point() const { return (event.flags & event_flag::kPoint) != 0; }
  bool is_pending() const { return (event.flags & event_flag::kPending) != 0; }
};

/// Does `late` stand behind `early` wherever both occur? (`early` came first.)
bool comes_first(const TraceItem& early, const TraceItem& late);

class CausalOrder {
 public:
  explicit CausalOrder(const machine::MemoryRules& memory) : memory_(memory) {}
  size_t size() const { return items_.size(); }
  const TraceItem& operator[](size_t i) const { return items_[i]; }
  void truncate(size_t size) { items_.resize(size); }
  void clear() { items_.clear(), operations_ = {}, was_full_ = false; }
  /// Adds the events of a run from number `from` on (those before it are known), then what its buffers could still do:
  /// flushes that are pending.
  void append(std::span<const Event> events, size_t from);

  /// Numbers of objects: of this order, and of operations and sequences that are compared with it.
  Operations& operations() { return operations_; }

  bool happens_before(size_t early, size_t late) const {
    const TraceItem& item = items_[early];
    return count(items_[late].after, item.chain) >= item.ordinal;
  }

  /// Items from `early` on that `late` had to wait for before it could be performed: is there one?
  bool waits_for(size_t late, size_t early) const;

  /// Was a buffer full, under PSO? Then it matters which flush made room first, and that is not reversed.
  bool was_full() const { return was_full_; }

  /// Events that could have come after item `late` instead of before it: the nearest ones, from which all others follow
  /// when the search is not bounded, or all of them.
  enum class Which { Nearest, All };
  std::vector<size_t> reversible(size_t late, Which which) const;

  /// Could the operation of `late` be performed after the events before `early` and those behind `early` that do not
  /// depend on it?
  bool possible_before(size_t late, size_t early) const;

  /// Positions of the scheduling points behind `early` that do not happen after it, up to `late` (excluded).
  std::vector<size_t> independent_of(size_t early, size_t late) const;

 private:
  static u32 count(const Clock& clock, u32 chain) { return chain < clock.size() ? clock[chain] : 0; }
  u32 chain_of_flush(const TraceItem& item) const;
  TraceItem& add_item(const Event& event, bool unseen);
  void join_dependent(TraceItem& item);
  bool inside_atomic_section(size_t index) const;

  machine::MemoryRules memory_;
  std::vector<TraceItem> items_;
  Operations operations_;
  std::vector<size_t> flush_chains_;  // the last flush of each
  bool was_full_ = false;
};

}  // namespace plait
