// Which accesses might race at all? A cheap test over the trees that rules out most programs without a search: two
// conflicting accesses of different threads, one of them not atomic, with no common lock held and not ordered by fork
// and join. What a thread holds, has forked and has joined is a function of its local history.
#pragma once
#include <algorithm>
#include <atomic>
#include <vector>

#include "knowledge/layout.h"

namespace plait {

/// Do these two operations conflict in the sense of C and C++: overlapping, one writes, one is not atomic?
bool is_race(const Node& a, const Node& b);

/// Have all threads been joined, one way or another, wherever the program ends by itself?
bool exits_are_harmless(const Behaviour& knowledge);

/// By node; all of them if it was stopped.
std::vector<bool> accesses_that_may_race(const Behaviour& knowledge, const Layout& layout,
                                         const std::atomic<bool>* stop = nullptr);
inline bool may_race(const Behaviour& knowledge, const Layout& layout, const std::atomic<bool>* stop = nullptr) {
  const std::vector<bool> accesses = accesses_that_may_race(knowledge, layout, stop);
  return std::find(accesses.begin(), accesses.end(), true) != accesses.end();
}

}  // namespace plait
