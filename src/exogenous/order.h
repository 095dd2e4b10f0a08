// Happened-before of one run (paper 001 §2), the pairs whose order can be reversed, and what is then left of the run.
#pragma once
#include <vector>

#include "exogenous/messages.h"

namespace plait::exogenous {

/// A set of events of one run, by index.
class EventSet {
 public:
  explicit EventSet(size_t events = 0) : words_((events + 63) / 64) {}
  void add(u32 i) { words_[i / 64] |= u64{1} << (i % 64); }
  bool has(u32 i) const { return words_[i / 64] >> (i % 64) & 1; }
  void add(const EventSet& other) {
    for (size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
  }

 private:
  std::vector<u64> words_;
};

/// Two events whose order can be reversed.
struct Reversal {
  u32 first;                 // index in the run
  u32 second;                // description of the event that comes before it in the new run; may be one that was not
                             // performed
  u32 index;                 // of the second in the run; kNotPerformed
  bool may_fail;             // the second waited for something that is taken away from it, or was not performed:
                             // perhaps it is not possible
  std::vector<u32> between;  // indices behind `first` that do not happen after it, in order. They stay before `second`
};
inline constexpr u32 kNotPerformed = ~u32{0};

class RunOrder {
 public:
  /// Both must outlive it. Throws Error if a relation contradicts the run.
  RunOrder(const Execution& run, const Relations& relations);

  u32 size() const { return performed_; }
  u32 event(u32 i) const { return events_[i]; }
  Tie tie(u32 i, u32 j) const;
  /// i happened before j.
  bool before(u32 i, u32 j) const { return before_[j].has(i); }
  /// Of two events of which at least the first was performed.
  std::vector<Reversal> reversals() const;
  /// Of events that were performed in the place of others.
  std::vector<Reversal> alternatives() const;

 private:
  void require_no_contradiction(u32 i, u32 j) const;
  void add_reversals(u32 j, std::vector<Reversal>& all) const;
  void add_alternative(const Alternative& alternative, std::vector<Reversal>& all) const;
  std::vector<u32> not_after(u32 first) const;

  const Execution& run_;
  const Relations& relations_;
  const u32 performed_;
  std::vector<u32> events_;  // pending ones behind the others
  const RunTies ties_;
  std::vector<EventSet> before_;
};

}  // namespace plait::exogenous
