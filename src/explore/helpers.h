// Further engine threads, each with a worker of its own.
#pragma once
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "explore/explorer.h"

namespace plait {

class Helpers {
 public:
  Helpers(Exploration& exploration, std::function<void(Worker&)> work)
      : exploration_(exploration), work_(std::move(work)) {}
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() { wait(); }

  void start(u32 threads) {
    for (u32 i = 0; i < threads; ++i) threads_.emplace_back([this] { guarded(); });
  }
  bool started() const { return !threads_.empty(); }

  /// Runs `work` here, waits for the helpers, and throws on what any of them threw. An exception stops the exploration.
  void join(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      failed();
    }
    wait();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void guarded() {
    try {
      Worker worker(exploration_.program, exploration_.session, exploration_.worker_options);
      work_(worker);
    } catch (...) {
      failed();
    }
  }
  void failed() {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    exploration_.control.stop(StopReason::NotCheckable);
  }
  void wait() {
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  Exploration& exploration_;
  std::function<void(Worker&)> work_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace plait
