// States that differ only in which of several like threads is where (knowledge/symmetry.h) are one: each is put in
// order, threads that have ended first. All that tells such threads apart goes with them: where they stand, what waits
// in their buffers, what they own and wait for. That is exact with respect to the knowledge at hand, for they only
// change places where all that is known to come is the same.
#pragma once
#include "explore/product.h"
#include "knowledge/symmetry.h"

namespace plait {

class ThreadSwaps {
 public:
  /// `merges`: cursors are representatives. `apart`: groups that are left as they are.
  ThreadSwaps(const Behaviour& knowledge, const Layout& layout, const Futures& futures, const Symmetry& symmetry,
              const Product& product, bool merges, u64 apart)
      : knowledge_(knowledge),
        layout_(layout),
        futures_(futures),
        symmetry_(symmetry),
        product_(product),
        merges_(merges),
        apart_(apart) {}

  /// Puts the state in order. False: it was; else `was` says for each thread who was where that one is now.
  bool sort(std::vector<u8>& state, std::vector<ThreadId>& was);

 private:
  struct Place {
    ThreadId thread;
    u32 kind;
    bool has_ended;
    u64 rest;  // what it owns, waits for, has in its buffer
  };
  bool sort_group(const Symmetry::Group& group);
  bool look_at(const Symmetry::Group& group);
  u64 rest_of(ThreadId thread) const;
  NodeId node_for(u32 kind, ThreadId thread) const;
  bool can_move(const Place& place, ThreadId to) const;
  void move(const Place& place, ThreadId to);
  /// Its parent, in a row of joins, goes on to the first thread that has not ended.
  bool move_parent(ThreadId parent);
  void move_objects();

  const Behaviour& knowledge_;
  const Layout& layout_;
  const Futures& futures_;
  const Symmetry& symmetry_;
  const Product& product_;
  const bool merges_;
  const u64 apart_;
  std::vector<u8> old_, new_;
  std::vector<ThreadId> was_, is_;  // by thread: who was where it is; where it is now
  std::vector<Place> places_;
  std::vector<ThreadId> members_;  // of the group that can
};

}  // namespace plait
