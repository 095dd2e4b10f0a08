// Collects what an exploration finds: distinct bugs with the shortest schedule known for each, distinct outputs, and
// what makes the verdict inconclusive.
//
// The choice among several schedules of one bug is a total order (context switches, steps, then the steps
// themselves), so that with --keep-going the answer is the same for any number of workers.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "check/kinds.h"
#include "explore/explorer.h"

namespace plait {

/// A schedule worth keeping.
struct Witness {
  Schedule schedule;  // of steps: see explore/schedule.h
  u32 switches = 0;
  u32 points = 0;
  u32 round = 0;              // of which inputs: see Findings::begin_round
  bool sharing_grew = false;  // found in a run that discovered sharing: may not replay
  bool better_than(const Witness&) const;
};

/// Two failing runs are one bug if the kind and all sites agree.
struct BugKey {
  FailureKind kind;
  std::vector<u32> sites;   // of the failure; for deadlocks, of what the threads wait for (sorted)
  std::string expectation;  // the file and line of GoogleTest's failure, if it is one
  auto operator<=>(const BugKey&) const = default;
};

struct FoundBug {
  Failure failure;
  Witness witness;
  BugKey key = {};
};

struct FoundOutcome {
  std::string output;
  Witness witness;
};

/// All that findings hold, as a plain value: what was found elsewhere can be added.
struct Found {
  std::vector<FoundBug> bugs;
  std::vector<FoundOutcome> outcomes;
  std::vector<std::pair<BugKey, Failure>> ignored;
  std::vector<std::pair<std::string, u32>> obstacles;  // with their sites
  Fallback fallback;
  std::vector<std::pair<u32, std::string>> unmerged;
};

struct FindingsOptions {
  bool keep_going = false;
  bool outcomes = false;
  KindSet checked = KindSet::standard();  // other failures are kept aside
};

class Findings : public RunSink {
 public:
  Findings(Control& control, const FindingsOptions& options) : control_(control), options_(options) {}

  void finished(const FinishedRun&) override;
  bool wants_complete_runs() const override { return options_.outcomes; }
  void not_deterministic(const std::string& message) override;
  void not_complete(const std::string& reason) override { add_obstacle(reason); }
  void restarted() override;
  void falls_back(const Fallback& fallback) override;
  void follows_values(const std::string& why) override { follows_values_ = why; }
  void not_merged(u32 site, const std::string& why) override;

  /// Runs from now on have other inputs.
  void begin_round(u32 round);

  Found found() const;
  /// As if its runs had been made here.
  void add(const Found& found);

  // After the exploration.
  std::vector<FoundBug> bugs() const;
  std::vector<FoundOutcome> outcomes() const;
  /// Failures of kinds that are not checked, each once.
  std::vector<Failure> ignored() const;
  /// What was in the way, one line each, without duplicates: "unsupported: ...".
  const std::vector<std::string>& obstacles() const { return obstacles_; }
  void add_obstacle(const std::string& line);
  /// Where in the program an obstacle was met; kNoSite if that is not known.
  u32 obstacle_site(const std::string& line) const;
  /// Why the explorer had to let another one do the work; empty if it did not.
  /// Empty reason: results were predicted.
  const Fallback& fallback() const { return fallback_; }
  const std::string& values_followed() const { return follows_values_; }
  /// Where (a site, or kNoSite) and why threads stopped being merged.
  const std::map<u32, std::string>& unmerged() const { return unmerged_; }

 private:
  void failed(const FinishedRun&);
  void failed_once(const FinishedRun&);
  void keep_outcome(const FinishedRun&);
  void keep_bug(FoundBug&& bug);
  void keep_ignored(const BugKey& key, const Failure& failure);
  void note_obstacle(const std::string& line);

  Control& control_;
  FindingsOptions options_;
  mutable std::mutex mutex_;
  std::map<BugKey, FoundBug> bugs_;
  std::map<BugKey, Failure> ignored_;
  std::map<std::string, Witness, std::less<>> outcomes_;
  std::vector<std::string> obstacles_;
  std::map<std::string, u32> obstacle_sites_;
  Fallback fallback_;
  std::string follows_values_;
  std::map<u32, std::string> unmerged_;
  u32 round_ = 0;
};

BugKey bug_key(const RunView&);

}  // namespace plait
