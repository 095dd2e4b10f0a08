#include "cluster/dispatcher.h"

#include <fmt/core.h>

#include <charconv>

#include "base/error.h"
#include "cluster/redis.h"
#include "cluster/seal.h"

namespace plait::cluster {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWait = Milliseconds(100);
constexpr auto kLook = Milliseconds(1000);
constexpr auto kPause = Milliseconds(100);  // before the pool is tried again

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

}  // namespace

Dispatcher::Dispatcher(std::unique_ptr<WorkPool> pool, std::string about, double patience, Say say,
                       std::function<void()> look)
    : pool_(std::move(pool)),
      about_(std::move(about)),
      patience_(patience),
      say_(std::move(say)),
      look_(std::move(look)) {
  pool_->open(about_);
  looked_ = Clock::now();
  thread_ = std::jthread([this](const std::stop_token& over) { pump(over); });
}

Dispatcher::~Dispatcher() {
  thread_.request_stop();
  thread_.join();
  try {
    pool_->close();
  } catch (const std::exception&) {  // it forgets the check by itself, later
  }
}

std::string Dispatcher::content_name(const std::string& value) { return content_hash(value); }

std::string Dispatcher::keep(const std::string& name, std::shared_ptr<const std::string> value) {
  {
    std::lock_guard lock(mutex_);
    if (!values_.emplace(name, value).second) return name;
  }
  for (const auto begin = Clock::now();;) {
    try {
      pool_->keep(name, *value);
      return name;
    } catch (const RedisLost&) {
      if (seconds_since(begin) > patience_) throw Error(kExitUsage, "Redis is gone");
    } catch (const RedisRefused& error) {
      throw Error(kExitUsage,
                  fmt::format("Redis does not take {} bytes that workers need: {}", value->size(), error.what()));
    }
    std::this_thread::sleep_for(kPause);
  }
}

u64 Dispatcher::submit(std::string body) {
  Task task;
  u64 number;
  {
    std::lock_guard lock(mutex_);
    require_pool();
    number = next_++;
    task = {std::to_string(number), body};
    outstanding_.emplace(number, std::move(body));
    ++account_.submitted;
  }
  try {
    pool_->submit({&task, 1});
  } catch (const std::runtime_error&) {  // lost or full: tried again
    std::lock_guard lock(mutex_);
    unsent_.push_back(number);
  }
  return number;
}

void Dispatcher::require_pool() {
  if (!gone_.empty()) throw Error(kExitUsage, gone_);
}

std::optional<std::string> Dispatcher::wait_for(u64 task, const std::atomic<bool>& cancel) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (auto found = results_.find(task); found != results_.end()) {
      std::string result = std::move(found->second);
      results_.erase(found);
      return result;
    }
    require_pool();
    if (cancel.load(std::memory_order_relaxed)) return std::nullopt;
    changed_.wait_for(lock, Milliseconds(20));
  }
}

std::optional<Dispatcher::Done> Dispatcher::next(Milliseconds wait) {
  std::unique_lock lock(mutex_);
  if (results_.empty()) {
    require_pool();
    changed_.wait_for(lock, wait, [&] { return !results_.empty() || !gone_.empty(); });
  }
  if (results_.empty()) {
    require_pool();
    return std::nullopt;
  }
  const auto first = results_.begin();
  Done done{first->first, std::move(first->second)};
  results_.erase(first);
  return done;
}

TaskAccount Dispatcher::account() const {
  std::lock_guard lock(mutex_);
  TaskAccount account = account_;
  account.given_up = outstanding_.size();
  return account;
}

void Dispatcher::pump(const std::stop_token& over) {
  std::optional<Clock::time_point> away;
  while (!over.stop_requested()) {
    std::string why;
    try {
      receive();
      if (Clock::now() - looked_ > kLook || away) look_after();
      if (away) say_("Redis is back");
      away.reset();
      continue;
    } catch (const Error& error) {
      return give_up(error.what());
    } catch (const RedisLost& error) {
      why = fmt::format("lost Redis at {}", error.what());
    } catch (const RedisRefused& error) {
      why = error.is("OOM") ? fmt::format("Redis is full (maxmemory): {}", error.what())
                            : fmt::format("Redis refuses: {}", error.what());
    }
    if (!away) {
      away = Clock::now();
      say_(fmt::format("{}; trying again for {:.0f} seconds", why, patience_));
    }
    if (seconds_since(*away) > patience_) return give_up(fmt::format("{}, for {:.0f} seconds", why, patience_));
    std::this_thread::sleep_for(kPause);
  }
}

void Dispatcher::give_up(const std::string& why) {
  std::lock_guard lock(mutex_);
  gone_ = why;
  changed_.notify_all();
}

void Dispatcher::receive() {
  const std::vector<Task> tasks = pool_->finished(kWait);
  std::lock_guard lock(mutex_);
  for (const Task& task : tasks) {
    u64 number = 0;
    std::from_chars(task.id.data(), task.id.data() + task.id.size(), number);
    if (outstanding_.erase(number) == 0) {
      ++account_.twice;
      continue;
    }
    ++account_.finished;
    results_.emplace(number, task.body);
  }
  if (!tasks.empty()) changed_.notify_all();
}

void Dispatcher::look_after() {
  if (!pool_->is_open()) open_again();
  pool_->stay();
  send_unsent();
  if (look_) look_();
  looked_ = Clock::now();
}

/// The pool has forgotten everything.
void Dispatcher::open_again() {
  say_("Redis has lost this check (restarted without an append-only file?): all open tasks are submitted again");
  std::map<std::string, std::shared_ptr<const std::string>> values;
  {
    std::lock_guard lock(mutex_);
    values = values_;
  }
  for (const auto& [name, value] : values) pool_->keep(name, *value);  // first: whoever sees the check needs them
  pool_->open(about_);
  std::lock_guard lock(mutex_);
  unsent_.clear();
  for (const auto& [number, body] : outstanding_) unsent_.push_back(number);
  account_.again += unsent_.size();
}

void Dispatcher::send_unsent() {
  for (;;) {
    Task task;
    u64 number = 0;
    {
      std::lock_guard lock(mutex_);
      if (unsent_.empty()) return;
      number = unsent_.front();
      const auto found = outstanding_.find(number);
      if (found == outstanding_.end()) {
        unsent_.pop_front();
        continue;
      }
      task = {std::to_string(number), found->second};
    }
    pool_->submit({&task, 1});
    std::lock_guard lock(mutex_);
    if (!unsent_.empty() && unsent_.front() == number) unsent_.pop_front();
  }
}

}  // namespace plait::cluster
