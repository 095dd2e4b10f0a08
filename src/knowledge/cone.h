// The cone of influence: which threads matter, and until when, to a question about some of them.
//
// A question is about results that its *targets* can receive, or about blocking. Resources (cells, objects, ends and
// starts of threads) that targets read are relevant; so is what a thread reads on its way to an operation that writes
// something relevant. A thread that has nothing relevant left to write can stay where it is: whatever it does, the
// targets receive the same. So the search for the question leaves it there. By what is known: new knowledge can widen a
// cone, and the last search has the last one.
#pragma once
#include "knowledge/futures.h"
#include "knowledge/symmetry.h"

namespace plait {

class Cone {
 public:
  /// Everybody, always.
  Cone() = default;
  /// About the results of `targets`.
  Cone(const Behaviour& knowledge, const Futures& futures, ThreadSet targets);
  /// About threads that block for ever.
  static Cone of_blocking(const Behaviour& knowledge, const Layout& layout, const Futures& futures);

  bool is_everything() const { return everything_; }
  ThreadSet targets() const { return targets_; }
  bool operator==(const Cone&) const = default;
  /// May the thread that stands here matter?
  bool contains(const Behaviour& knowledge, const Futures& futures, NodeId id) const {
    return everything_ || (targets_ & bit(knowledge.node(id).thread)) || futures.may_write(id, relevant_.data());
  }
  /// May a store that waits in a buffer matter?
  bool contains_store(const Futures& futures, NodeId store) const {
    return everything_ || futures.writes(store, relevant_.data());
  }
  /// Does a search in this cone meet all results of these threads, too?
  bool covers(const Behaviour& knowledge, const Futures& futures, ThreadSet threads) const;

 private:
  void close(const Behaviour& knowledge, const Futures& futures);

  bool everything_ = true;
  ThreadSet targets_ = 0;
  std::vector<u64> relevant_;
};

/// Cones that together meet every result of all of `threads`, few and small. `symmetry` (or null): threads that are
/// alike have one, but for the groups of it that are `apart`.
std::vector<Cone> cones_of(const Behaviour& knowledge, const Futures& futures, ThreadSet threads,
                           const Symmetry* symmetry = nullptr, u64 apart = 0);
/// Groups of threads that do not matter to each other: one cone for all would only be larger.
u64 groups_apart(const Behaviour& knowledge, const Futures& futures, const Symmetry& symmetry);

}  // namespace plait
