// Runs of depth-first explorers: one at a time, each decided by the one before. What they share: sending a path,
// counting, handing failures on, noticing that more memory is shared than was known.
#pragma once
#include <functional>

#include "explore/explorer.h"
#include "explore/tally.h"

namespace plait {

class PathRuns {
 public:
  PathRuns(Exploration& exploration, Worker& worker)
      : exploration_(exploration), control_(exploration.control), worker_(worker), tally_(control_.counters) {}

  enum class Outcome { Finished, Stopped, SharingGrew };

  struct SleepSet {
    ThreadSet threads = 0;
    std::vector<Choice> stores;  // kind Asleep
  };

  /// Performs the steps, then the tail; `consume` sees the whole trace.
  Outcome run(const std::vector<Choice>& steps, Tail tail, const SleepSet& sleep,
              const std::function<void(const RunView&)>& consume);

  /// What counts as an operation has changed: the exploration begins again.
  void begin_again();

 private:
  Exploration& exploration_;
  Control& control_;
  Worker& worker_;
  Tally tally_;
};

}  // namespace plait
