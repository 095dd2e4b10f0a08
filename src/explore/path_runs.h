// Runs of depth-first explorers: one at a time, each decided by the one before. What they share: sending a path,
// counting, handing failures on, noticing that more memory is shared than was known.
#pragma once
#include <functional>

#include "explore/explorer.h"
#include "explore/tally.h"

namespace plait {

class PathRuns {
 public:
  explicit PathRuns(Exploration& exploration)
      : exploration_(exploration), control_(exploration.control), tally_(control_.counters) {}

  struct SleepSet {
    ThreadSet threads = 0;
    std::vector<Choice> stores;  // kind Asleep
  };

  /// Performs the steps, then the tail; `consume` sees the whole trace. Complete: it has.
  Attempt run(const std::vector<Choice>& steps, Tail tail, const SleepSet& sleep,
              const std::function<void(const RunView&)>& consume);

 private:
  Exploration& exploration_;
  Control& control_;
  Batch batch_;
  Tally tally_;
};

}  // namespace plait
