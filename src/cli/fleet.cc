#include "cli/fleet.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/check_engine.h"

namespace plait {
namespace {

constexpr size_t kMostAtOnce = 16;  // checks that wait for workers, each with connections of its own

class Fleet {
 public:
  explicit Fleet(std::vector<FleetCheck>& checks) : checks_(checks), results_(checks.size()) {
    const size_t threads = std::min(checks.size(), kMostAtOnce);
    for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Fleet() { over_ = true; }  // the threads finish what they do

  CheckResult result(size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return results_[index].has_value() || error_; });
    if (!results_[index]) {
      over_ = true;
      std::rethrow_exception(error_);
    }
    return std::move(*results_[index]);
  }
  /// The others need not begin.
  void end() { over_ = true; }

 private:
  void work() {
    for (size_t i; !over_ && (i = next_.fetch_add(1)) < checks_.size();) {
      std::optional<CheckResult> result;
      std::exception_ptr error;
      try {
        checks_[i].options.cluster_whole = true;
        checks_[i].options.quiet = true;  // the progress of many at once is nobody's
        result = run_check_engine(checks_[i].options, checks_[i].target);
      } catch (...) {
        error = std::current_exception();
      }
      std::lock_guard lock(mutex_);
      results_[i] = std::move(result);
      if (error && !error_) error_ = error;
      if (error) over_ = true;
      changed_.notify_all();
    }
  }

  std::vector<FleetCheck>& checks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<CheckResult>> results_;
  std::exception_ptr error_;
  std::atomic<size_t> next_{0};
  std::atomic<bool> over_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace

void check_with_fleet(std::vector<FleetCheck>& checks, const std::function<void(size_t, CheckResult&&)>& done) {
  Fleet fleet(checks);
  for (size_t i = 0; i < checks.size(); ++i) {
    CheckResult result = fleet.result(i);
    const bool interrupted = result.interrupted;
    done(i, std::move(result));
    if (interrupted) return fleet.end();
  }
}

}  // namespace plait
