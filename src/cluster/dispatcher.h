// Tasks of one check, on any work pool: each has a number, is submitted until its result is there, and counts once,
// however often it was done. What was submitted is known here until it is finished, so a pool that forgets everything
// (Redis without an append-only file) loses nothing.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "cluster/work_pool.h"
#include "trace/types.h"

namespace plait::cluster {

struct TaskAccount {
  u64 submitted = 0, finished = 0;
  u64 twice = 0;     // results of tasks that had been finished already
  u64 again = 0;     // tasks that were submitted once more, because the pool had lost them
  u64 given_up = 0;  // nobody needs their results any more
  u64 in_flight() const { return submitted - finished - given_up; }
};

class Dispatcher {
 public:
  using Say = std::function<void(const std::string& line)>;
  /// `patience`: how long the pool may be away. `about`: see WorkPool::open. `look` is called every second; what Error
  /// it throws ends all waiting. Throws what the pool throws.
  Dispatcher(std::unique_ptr<WorkPool> pool, std::string about, double patience, Say say,
             std::function<void()> look = nullptr);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// A value that tasks refer to; its name. Kept until the end.
  std::string keep(const std::string& value) { return keep(content_name(value), std::make_shared<std::string>(value)); }
  std::string keep(const std::string& name, std::shared_ptr<const std::string> value);
  u64 submit(std::string body);
  /// Its result, or nothing when `cancel` is true. Throws Error when the pool is gone for good.
  std::optional<std::string> wait_for(u64 task, const std::atomic<bool>& cancel);
  struct Done {
    u64 task;
    std::string result;
  };
  /// The result of any task that nobody waits for; nothing: none has come in this time.
  std::optional<Done> next(Milliseconds wait);
  TaskAccount account() const;

 private:
  static std::string content_name(const std::string& value);
  void pump(const std::stop_token& over);
  void receive();
  void give_up(const std::string& why);
  void look_after();
  void open_again();
  void send_unsent();
  void require_pool();

  std::unique_ptr<WorkPool> pool_;
  const std::string about_;
  const double patience_;
  Say say_;
  std::function<void()> look_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<u64, std::string> outstanding_;  // bodies
  std::map<u64, std::string> results_;
  std::deque<u64> unsent_;
  std::map<std::string, std::shared_ptr<const std::string>> values_;
  TaskAccount account_;
  u64 next_ = 1;
  std::string gone_;  // why the pool is, for good
  std::chrono::steady_clock::time_point looked_{};
  std::jthread thread_;
};

}  // namespace plait::cluster
