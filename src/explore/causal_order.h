// The causal order of one trace (Mazurkiewicz): which events had to come before which, and which pairs could have come
// the other way round. Partial-order reduction (dpor.cc, bounded_dpor.cc) is built on it.
//
// An event comes after another one if it follows it in its thread, was made possible by it (fork, join), or is
// dependent on it (machine/dependence.h). Kept for a growing trace: explorers truncate it to a prefix and append what
// the next run does after that.
//
// Two clocks per event: `before` is what the thread had to wait for before it stood in front of the operation, `after`
// adds what the operation itself depends on. A clock counts the events of each thread.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "machine/dependence.h"
#include "machine/sync.h"
#include "trace/event.h"

namespace plait {

/// An operation as the machine sees it, made from events. Objects are numbered by their addresses.
class Operations {
 public:
  machine::Operation of(const Event& event);
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

using Clock = std::vector<u32>;

struct TraceItem {
  Event event;
  machine::Operation operation;
  u32 ordinal;  // in its thread, from 1
  Clock before, after;
  bool is_point() const { return (event.flags & event_flag::kPoint) != 0; }
  bool is_pending() const { return (event.flags & event_flag::kPending) != 0; }
};

/// Does `late` stand behind `early` wherever both occur? (`early` came first.)
bool comes_first(const TraceItem& early, const TraceItem& late);

class CausalOrder {
 public:
  size_t size() const { return items_.size(); }
  const TraceItem& operator[](size_t i) const { return items_[i]; }
  void truncate(size_t size) { items_.resize(size); }
  void clear() { items_.clear(), operations_ = {}; }
  /// Adds the events of a run from number `from` on (those before it are known).
  void append(std::span<const Event> events, size_t from);

  bool happens_before(size_t early, size_t late) const {
    const TraceItem& item = items_[early];
    return count(items_[late].after, item.event.thread) >= item.ordinal;
  }

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
  static u32 count(const Clock& clock, ThreadId thread) { return thread < clock.size() ? clock[thread] : 0; }
  bool inside_atomic_section(size_t index) const;

  std::vector<TraceItem> items_;
  Operations operations_;
};

}  // namespace plait
