// The part of a search's states that tells what happens after one access, the *first*, in the sense of C++
// (machine/happens_before.h): which threads, values and objects know of it. A search that has chosen no first access
// yet may choose each one that it performs. A later access that conflicts with the first, by a thread that does not
// know of it, is a data race.
//
// Happens-before does not depend on the order of independent steps, so persistent sets may be used.
#pragma once
#include <vector>

#include "explore/product.h"

namespace plait {

class AfterAccess {
 public:
  AfterAccess(const Behaviour& knowledge, const Layout& layout, const Futures& futures, const Product& product);

  /// Are there operations that order less than their place in an interleaving says?
  static bool is_needed(const Behaviour& knowledge);

  /// How many bytes of a state are this part; it stands behind the product's.
  u32 bytes() const { return bytes_; }
  /// The first access; kNoNode: none yet.
  NodeId first(const u8* state) const { return read_u32(state + begin_); }

  /// Does what the actor does next race with the first access? Of a buffer: its store at this place.
  bool races(const u8* state, ThreadId actor, u32 place) const;

  /// How many accesses of the first one's thread, behind it in `done`, race with what the actor does next, too; as far
  /// as a schedule can say.
  u8 later_accesses(const u8* state, ThreadId actor, const std::vector<Product::Move>& done) const;

  /// What a step has done.
  struct Step {
    std::vector<Product::Move> moves;
    ThreadId flushed = kNoThread;  // a store left this thread's buffer before that
    NodeId store = kNoNode;
  };
  static constexpr size_t kNone = ~size_t{0};
  /// `chosen`: this move's access is the first one.
  void follow(u8* state, const Step& step, size_t chosen = kNone) const;
  /// Can it be the first one?
  bool is_candidate(const Product::Move& move) const;
  /// Could somebody still race with the first access?
  bool matters(const u8* state) const;

 private:
  struct View;
  void perform(u8* state, const Product::Move& move) const;
  u32* waiting(u8* state, ThreadId thread) const {
    return reinterpret_cast<u32*>(state + begin_ + 4) + waiting_[thread];
  }

  const Behaviour& knowledge_;
  const Layout& layout_;
  const Futures& futures_;
  const Product& product_;
  u32 begin_, threads_, objects_, section_, bytes_;  // where each kind begins
  std::vector<u32> places_;                          // by cell: where what is known of its value stands
  std::vector<u32> waiting_;                         // by thread: the first word of what its stores carry
  std::vector<NodeId> representative_;               // of accesses that race with the same ones
  std::vector<bool> may_race_;  // by representative: locks, forks and joins alone do not rule it out
  std::vector<bool> is_mixed_;  // by cell: accesses to parts of it; then each byte has a place
};

}  // namespace plait
