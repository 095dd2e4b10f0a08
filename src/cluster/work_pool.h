// The work pool: tasks that anybody may do, and what came of them. A task is a value (a string of bytes), and so is its
// result. Two implementations: in memory (memory_pool.h), and on Redis (redis_pool.h).
//
//   who has work                          who does it
//   pool.open(about)                      while (auto task = source.take(wait))
//   pool.submit({id, body})                 source.finish(*task, work_on(task->body))   // extend() now and then
//   for (task : pool.finished(wait)) ...
//   pool.close()
//
// A task that was taken and neither finished nor extended for a while (the lease) is given to somebody else. So a task
// may be done twice, and its result may arrive twice: who submitted it counts it once, by its id (dispatcher.h).
#pragma once
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plait::cluster {

using Milliseconds = std::chrono::milliseconds;

struct Task {
  std::string id;
  std::string body;        // of what is to be done; of a finished task: its result
  std::string check = "";  // that it belongs to, by the pool's name for it
  std::string place = "";  // the pool's name for the task
  unsigned times = 1;      // that it was handed out
};

/// Of one check: its side.
class WorkPool {
 public:
  virtual ~WorkPool() = default;
  /// What workers must know of the check. Also when the pool has forgotten everything: it then begins anew.
  virtual void open(const std::string& about) = 0;
  /// Does the pool still know the check?
  virtual bool is_open() = 0;
  /// Somebody looks after the check: to be said every few seconds.
  virtual void stay() = 0;
  virtual void submit(std::span<const Task> tasks) = 0;
  /// Results that have come since the last call; waits if there are none.
  virtual std::vector<Task> finished(Milliseconds wait) = 0;
  /// A value that many tasks need, by its name (a hash of it).
  virtual void keep(const std::string& name, const std::string& value) = 0;
  /// Nobody is to work on the check any more.
  virtual void close() = 0;
};

/// The side of those who work.
class WorkSource {
 public:
  virtual ~WorkSource() = default;
  virtual std::optional<Task> take(Milliseconds wait) = 0;
  /// It is still being worked on. False: its check is over.
  virtual bool extend(const Task& task) = 0;
  virtual void finish(const Task& task, const std::string& result) = 0;
  virtual std::optional<std::string> value(const std::string& name) = 0;
  virtual std::optional<std::string> about(const std::string& check) = 0;
  /// What workers on one check tell each other while they work. Tells (if there is something to tell), and returns what
  /// has been told since the last call. It may get lost.
  struct News {
    std::string topic, text;
  };
  virtual std::vector<News> exchange(const std::string& check, const News& told) = 0;
};

}  // namespace plait::cluster
