// Collects what an exploration of another runtime finds: distinct failures and results, each with the run that shows it
// best, the same for any number of processes.
#pragma once
#include <functional>
#include <map>
#include <tuple>

#include "exogenous/explorer.h"

namespace plait::exogenous {

/// What makes two failing runs one bug.
struct FailureKey {
  std::string kind, message, file;
  u32 line = 0;
  auto operator<=>(const FailureKey&) const = default;
};

/// Of a run that failed or was blocked. Who waits is the message of a deadlock.
FailureKey failure_key(const Execution& run, const Catalogue& catalogue);

/// Changes of the running actor.
u32 switches_of(const Execution& run, const Catalogue& catalogue);

/// A run worth keeping.
struct Kept {
  std::vector<Symbol> events;  // ids
  u32 switches = 0;
  bool better_than(const Kept& other) const {
    return std::tuple(switches, events.size(), events) < std::tuple(other.switches, other.events.size(), other.events);
  }
};

class Findings : public ExecutionSink {
 public:
  /// `is_bug` says which kinds count.
  Findings(Control& control, const Catalogue& catalogue, bool keep_going, bool outcomes,
           std::function<bool(const std::string& kind)> is_bug)
      : control_(control),
        catalogue_(catalogue),
        keep_going_(keep_going),
        outcomes_wanted_(outcomes),
        is_bug_(is_bug) {}
  void finished(const Execution&) override;

  // After the exploration.
  std::map<FailureKey, Kept> bugs, ignored;
  std::map<std::string, Kept> outcomes;

 private:
  template <typename Key>
  void keep(std::map<Key, Kept>& map, const Key& key, const Execution& run);

  Control& control_;
  const Catalogue& catalogue_;
  const bool keep_going_, outcomes_wanted_;
  const std::function<bool(const std::string&)> is_bug_;
  std::mutex mutex_;
};

/// The same failure with fewer changes of the running actor, and behind as short a seed as possible: what that run
/// did. The runs are not part of the exploration.
Execution minimise(Runtime& runtime, const Catalogue& catalogue, Execution failing, const FailureKey& key,
                   const std::atomic<bool>& stop);

}  // namespace plait::exogenous
