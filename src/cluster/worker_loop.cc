#include "cluster/worker_loop.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <thread>

#include "base/error.h"
#include "cluster/redis_pool.h"
#include "cluster/task_runner.h"

namespace plait::cluster {
namespace {

constexpr auto kWait = Milliseconds(1000);
constexpr auto kPause = Milliseconds(200);  // before Redis is tried again
constexpr unsigned kMostTimes = 20;         // that a task may take a worker with it

volatile std::sig_atomic_t ended = 0;
void on_end(int) { ended = 1; }

void catch_ends() {
  struct sigaction action{};
  action.sa_handler = on_end;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(number, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

/// One process.
class ClusterWorker {
 public:
  explicit ClusterWorker(const WorkerCommand& command)
      : command_(command),
        url_(command.url),
        name_(fmt::format("{}:{}", host_name(), getpid())),
        cache_(command.cache.empty() ? Cache::standard_directory() : command.cache),
        source_(url_, read_key(command.key_file), name_, Milliseconds(static_cast<long long>(command.lease * 1000)),
                [this](const std::string& check, const std::string& about) { return accepts(check, about); }) {}

  void serve() {
    std::jthread heart([this](const std::stop_token& over) { beat(over); });
    while (!ended) {
      try {
        if (std::optional<Task> task = source_.take(kWait)) work(*task);
      } catch (const RedisLost&) {
        std::this_thread::sleep_for(kPause);
      } catch (const RedisRefused& error) {
        say(error.what());
        std::this_thread::sleep_for(kPause * 5);
      }
    }
  }

 private:
  void say(const std::string& line) const {
    if (!command_.quiet) fmt::print(stderr, "plait worker {}: {}\n", name_, line);
  }

  bool accepts(const std::string& check, const std::string& about) {
    std::string why;
    try {
      const Json json = from_bytes(about);
      const std::string theirs = json.at("compatibility");
      if (theirs != compatibility())
        why = fmt::format("it is of {}, this worker of {}", theirs, compatibility());
      else if (const std::string hash = json.at("shipment").at("hash"); !is_allowed(hash))
        why = fmt::format("its program {} is not allowed here", hash);
      else
        prepare(check, about);
    } catch (const Error& error) {
      why = error.what();
    } catch (const std::exception& error) {
      why = fmt::format("what is known of it is damaged: {}", error.what());
    }
    if (why.empty()) return true;
    say(fmt::format("refuses check {}: {}", check, why));
    std::lock_guard lock(mutex_);
    if (refused_.size() > 16) refused_.clear();
    refused_[check] = why;
    return false;
  }

  bool is_allowed(const std::string& hash) const {
    const std::vector<std::string>& allow = command_.allow;
    return allow.empty() || std::find(allow.begin(), allow.end(), hash) != allow.end();
  }

  void prepare(const std::string& check, const std::string& about) {
    if (check == check_ && runner_) return;
    auto runner = std::make_unique<TaskRunner>(
        about, cache_, [this](const std::string& hash) { return source_.value(hash); },
        [this, check](const WorkSource::News& told) { return source_.exchange(check, told); });
    std::lock_guard lock(mutex_);
    if (runner_) runs_before_ += runner_->runs();
    runner_ = std::move(runner);
    check_ = check;
  }

  void work(const Task& task) {
    std::optional<std::string> result;
    if (task.times > kMostTimes) {
      result =
          to_bytes({{"error", text_to_json(fmt::format("a task was lost {} times: workers die of it", task.times - 1))},
                    {"code", static_cast<int>(kExitUsage)}});
    } else {
      if (const auto about = source_.about(task.check)) prepare(task.check, *about);
      begin(task);
      result = runner_->run(task.body);
      end();
    }
    if (result)
      finish(task, *result);
    else if (ended)
      source_.give_back(task);
  }

  /// Redis may be away, or full: for a while.
  void finish(const Task& task, const std::string& result) {
    for (int attempt = 0; !ended && attempt < 300; ++attempt) {
      try {
        source_.finish(task, result);
        ++tasks_;
        return;
      } catch (const RedisLost&) {
      } catch (const RedisRefused& error) {
        if (attempt == 0) say(error.what());
      }
      std::this_thread::sleep_for(kPause);
    }
  }

  void begin(const Task& task) {
    std::lock_guard lock(mutex_);
    task_ = task;
    task_->body.clear();
  }
  void end() {
    std::lock_guard lock(mutex_);
    task_.reset();
  }

  /// Says that this worker lives, and that the task under way is being worked on.
  void beat(const std::stop_token& over) {
    Redis redis(url_);
    const auto pause = std::min(Milliseconds(1000), Milliseconds(static_cast<long long>(command_.lease * 250)));
    while (!over.stop_requested()) {
      try {
        tell_worker(redis, name_, state());
        std::unique_lock lock(mutex_);
        const std::optional<Task> task = task_;
        lock.unlock();
        if (task && !source_.extend(*task)) cancel(*task);
      } catch (const std::runtime_error&) {  // lost, or full: the next time
      }
      for (auto waited = Milliseconds(0); waited < pause && !over.stop_requested(); waited += Milliseconds(20)) {
        if (ended) cancel_any();
        std::this_thread::sleep_for(Milliseconds(20));
      }
    }
    try {
      forget_worker(redis, name_);
    } catch (const std::runtime_error&) {
    }
  }

  void cancel(const Task& task) {
    std::lock_guard lock(mutex_);
    if (task_ && task_->place == task.place && runner_) runner_->cancel();
  }
  void cancel_any() {
    std::lock_guard lock(mutex_);
    if (task_ && runner_) runner_->cancel();
  }

  std::string state() {
    std::lock_guard lock(mutex_);
    Json refused = Json::object();
    for (const auto& [check, why] : refused_) refused[check] = why;
    const Json json = {{"host", host_name()},
                       {"process", getpid()},
                       {"compatibility", compatibility()},
                       {"check", task_ ? task_->check : ""},
                       {"what", task_ && runner_ ? runner_->terms().what : ""},
                       {"program", task_ && runner_ ? runner_->terms().shipment.hash : ""},
                       {"tasks", tasks_.load()},
                       {"runs", runs_before_ + (runner_ ? runner_->runs() : 0)},
                       {"refused", refused}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  const WorkerCommand& command_;
  const RedisUrl url_;
  const std::string name_;
  const Cache cache_;
  RedisSource source_;
  std::mutex mutex_;  // of what the heart looks at
  std::unique_ptr<TaskRunner> runner_;
  std::string check_;
  std::optional<Task> task_;
  std::map<std::string, std::string> refused_;
  std::atomic<u64> tasks_{0};
  u64 runs_before_ = 0;  // of checks that are over
};

[[noreturn]] void be_worker(const WorkerCommand& command, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kExitInternal);
  try {
    ClusterWorker(command).serve();
    _exit(0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "plait worker: {}\n", error.what());
  }
  _exit(kExitInternal);
}

}  // namespace

int run_workers(const WorkerCommand& command) {
  Redis(RedisUrl(command.url)).require();
  (void)read_key(command.key_file);
  const Cache cache(command.cache.empty() ? Cache::standard_directory() : command.cache);
  const unsigned jobs = command.jobs ? command.jobs : std::max(1u, std::thread::hardware_concurrency());
  if (!command.quiet)
    fmt::print(stderr, "plait worker: {} process{} for {}, {}\n", jobs, jobs == 1 ? "" : "es",
               RedisUrl(command.url).shown, compatibility());
  catch_ends();
  std::vector<pid_t> children(jobs, 0);
  const pid_t self = getpid();
  while (!ended) {
    for (pid_t& child : children) {
      if (child > 0 && waitpid(child, nullptr, WNOHANG) == 0) continue;
      const bool again = child != 0;
      child = fork();
      if (child == 0) be_worker(command, self);
      if (again && !command.quiet)
        fmt::print(stderr, "plait worker: a process was lost; another one takes its place\n");
    }
    usleep(100'000);
  }
  for (const pid_t child : children)
    if (child > 0) kill(child, SIGTERM);
  for (const pid_t child : children)
    if (child > 0) waitpid(child, nullptr, 0);
  return kExitSafe;
}

}  // namespace plait::cluster
