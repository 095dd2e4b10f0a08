// The work pool on Redis. Keys, all below "plait:":
//   checks               hash: check -> what workers must know of it (sealed)
//   CHECK:here           exists while somebody looks after the check
//   CHECK:tasks          stream with one consumer group: tasks; deleted when they are finished
//   CHECK:results        stream: results; deleted when they were read
//   CHECK:news           stream: what workers tell each other
//   value:NAME           values that tasks need: programs, libraries, visibilities
//   workers              hash: worker -> what it is and does
//   news                 stream: there is a check
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "cluster/redis.h"
#include "cluster/seal.h"
#include "cluster/work_pool.h"

namespace plait::cluster {

class RedisPool : public WorkPool {
 public:
  /// `check`: a name that no other check has.
  RedisPool(const RedisUrl& url, Seal seal, std::string check);
  void open(const std::string& about) override;
  bool is_open() override;
  void stay() override;
  void submit(std::span<const Task> tasks) override;
  std::vector<Task> finished(Milliseconds wait) override;
  void keep(const std::string& name, const std::string& value) override;
  void close() override;
  /// Results that were not signed with the key.
  unsigned forged() const { return forged_; }

 private:
  std::string key(const char* what) const { return "plait:" + check_ + ":" + what; }

  Redis sending_, receiving_;  // a thread each
  std::mutex mutex_;           // of sending_
  Seal seal_;
  const std::string check_;
  std::string last_ = "0";
  unsigned forged_ = 0;
};

class RedisSource : public WorkSource {
 public:
  /// Is this a check to work on? Asked once, with its name and what was told of it.
  using Accept = std::function<bool(const std::string& check, const std::string& about)>;
  RedisSource(const RedisUrl& url, Seal seal, std::string worker, Milliseconds lease, Accept accept);
  std::optional<Task> take(Milliseconds wait) override;
  bool extend(const Task& task) override;
  void finish(const Task& task, const std::string& result) override;
  /// Somebody else is to do it, without waiting for the lease.
  void give_back(const Task& task);
  std::optional<std::string> value(const std::string& name) override;
  std::optional<std::string> about(const std::string& check) override;
  std::vector<News> exchange(const std::string& check, const News& told) override;

 private:
  void look_for_checks();
  std::optional<Task> take_lost();
  std::optional<Task> task_in(const std::string& check, const RedisAnswer& entry, unsigned times);
  unsigned times_taken(const std::string& check, const std::string& place);

  Redis redis_, extending_;  // a thread each
  Seal seal_;
  const std::string worker_;
  const Milliseconds lease_;
  Accept accept_;
  std::map<std::string, std::string> checks_;  // that are worked on
  std::set<std::string> refused_;
  std::map<std::string, std::string> heard_;  // by check: up to where
  std::string turn_;                          // the check whose task was taken last
  std::string news_ = "$";
  std::chrono::steady_clock::time_point looked_{}, searched_{};
};

/// What workers say of themselves, by worker; entries that were not renewed for a while are left out.
std::map<std::string, std::string> read_workers(Redis& redis);
void tell_worker(Redis& redis, const std::string& worker, const std::string& state);
void forget_worker(Redis& redis, const std::string& worker);

}  // namespace plait::cluster
