// What an exploration may use and what it has used: limits, counters, and the flag that stops everybody.
// One object per exploration, shared by the engine's threads.
#pragma once
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "trace/types.h"

namespace plait {

enum class StopReason : u8 {
  None,
  Bug,  // found one, and the user wants to stop there
  Timeout,
  MaxExecutions,
  Interrupted,
  Memory,
  NotCheckable,  // unsupported, divergence, out of resources: going on cannot help
};

struct Limits {
  std::optional<double> seconds;
  std::optional<u64> executions;
};

/// Sums over all runs. Each engine thread adds once per batch.
struct Counters {
  std::atomic<u64> executions{0};
  std::atomic<u64> blocked{0};        // an assumption was false, or only sleeping threads were left
  std::atomic<u64> interleavings{0};  // maximal ones, since the last restart
  std::atomic<u64> events{0};
  std::atomic<u64> limited{0};  // runs that reached max_events
  std::atomic<u64> restarts{0};
  std::atomic<u64> histories{0};  // known (thread, local history) pairs
  std::atomic<u64> merged{0};     // nodes of the behaviour graphs that were found to be one with another
  std::atomic<u64> alike{0};      // nodes that were not, although what can follow is the same: stale registers or stack
  std::atomic<u64> classes{0};    // read-value classes of complete runs
  std::atomic<u64> paths{0};      // tuples of threads' paths in complete runs
  std::atomic<u64> states{0};     // visited by searches
  std::atomic<u64> frontier{0};   // results to be reached, as of the last search
  // Questions asked of a solver (mcr).
  std::atomic<u64> queries{0}, sat{0}, unsat{0}, unknown{0}, solver_nanoseconds{0}, slowest_query_nanoseconds{0};
  std::atomic<u64> reads{0}, constraints{0};  // that had to keep their values; writes that could have given them
};

class Control {
 public:
  explicit Control(const Limits&);
  /// May up to `wanted` more runs be started? Returns how many; 0 stops the exploration.
  u64 take(u64 wanted);
  /// How many more runs may be started now; what others have taken may come back.
  u64 left() const;
  /// Gives back what was taken and not used.
  void give_back(u64 unused) { taken_.fetch_sub(unused, std::memory_order_relaxed); }
  /// The first reason wins.
  void stop(StopReason);
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  /// Also runs under way are to be given up: the user or the clock wants the end now. The other reasons let batches
  /// finish, so that their results do not depend on who was quicker.
  const std::atomic<bool>& cancel_flag() const { return cancel_; }
  /// A little later than that after the time is up: what has been found cannot be confirmed any more, either.
  const std::atomic<bool>& abandon_flag() const { return abandon_; }
  StopReason reason() const { return reason_.load(); }
  /// Stops when the time is up, or when the process has as much memory as it may have (base/memory_use.h).
  void check_limits();
  /// What is left of the time; nothing if there is no limit.
  std::optional<double> seconds_left() const;
  double seconds() const;
  const Limits& limits() const { return limits_; }
  Counters counters;

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point begin_;
  std::atomic<u64> taken_{0};
  std::atomic<bool> stop_{false}, cancel_{false}, abandon_{false};
  std::atomic<StopReason> reason_{StopReason::None};
  std::jthread watch_;  // looks at the limits, whatever the others are busy with
};

}  // namespace plait
