// Runs with random choices before a large search goes on. A bug that is easy to meet is met soon, and what they show
// need not be asked for. They take a small part of the time; small programs have none.
#pragma once
#include <algorithm>

#include "explore/explorer.h"

namespace plait {

class Hunt {
 public:
  /// `states`: that have been searched already.
  Hunt(const ExploreOptions& options, u64 states) : options_(options), next_(std::max(kFirst, states * 2)) {}

  /// After so many states: how many runs are due.
  u64 due(u64 states) {
    if (states < next_) return 0;
    const u64 runs = next_ / kStatesForRun;
    next_ *= 2;
    return runs;
  }
  /// A run had so many scheduling points.
  void note(u32 points) { longest_ = std::max(longest_, points); }
  /// Equal chances for all threads, or priorities that change a few times (pct), in turn.
  Request request() {
    Request request{};
    request.tail = hunted_ % 2 && longest_ ? Tail::Pct : Tail::Random;
    request.seed = options_.seed * 0x100000001b3 + hunted_++;
    request.change_points = static_cast<u8>(options_.pct_depth - 1);
    request.length = longest_;
    return request;
  }

 private:
  static constexpr u64 kFirst = 1 << 16;
  static constexpr u64 kStatesForRun = 512;
  const ExploreOptions& options_;
  u64 next_;        // after so many states
  u64 hunted_ = 0;  // runs
  u32 longest_ = 0;
};

}  // namespace plait
