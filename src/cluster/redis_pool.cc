#include "cluster/redis_pool.h"

#include <utility>

namespace plait::cluster {
namespace {

constexpr const char* kGroup = "workers";
constexpr const char* kHere = "30";         // seconds that a check lives on when nobody looks after it
constexpr const char* kKept = "86400";      // and a value
constexpr auto kLook = Milliseconds(1000);  // between two looks for checks
constexpr long long kAlive = 20;            // seconds without news of a worker

std::string key_of(const std::string& check, const char* what) { return "plait:" + check + ":" + what; }

std::string about_result(const std::string& check, const std::string& id) { return "result " + check + " " + id; }
std::string about_news(const std::string& check, const std::string& topic) { return "news " + check + " " + topic; }
std::string about_task(const std::string& check, const std::string& id) { return "task " + check + " " + id; }

/// The fields of a stream's entry: id, body.
std::optional<Task> entry_of(const RedisAnswer& entry) {
  if (entry.size() < 2 || entry[1].size() < 4) return std::nullopt;
  return Task{entry[1][1].text, entry[1][3].text, "", entry[0].text};
}

}  // namespace

RedisPool::RedisPool(const RedisUrl& url, Seal seal, std::string check)
    : sending_(url), receiving_(url), seal_(std::move(seal)), check_(std::move(check)) {}

void RedisPool::open(const std::string& about) {
  std::lock_guard lock(mutex_);
  last_ = "0";
  try {
    sending_.command({"XGROUP", "CREATE", key("tasks"), kGroup, "0", "MKSTREAM"});
  } catch (const RedisRefused& error) {
    if (!error.is("BUSYGROUP")) throw;
  }
  sending_.commands({{"SET", key("here"), "1", "EX", kHere},
                     {"HSET", "plait:checks", check_, seal_.close("check " + check_, about)},
                     {"XADD", "plait:news", "MAXLEN", "~", "16", "*", "check", check_}});
}

bool RedisPool::is_open() {
  std::lock_guard lock(mutex_);
  return sending_.command({"HEXISTS", "plait:checks", check_}).number == 1;
}

void RedisPool::stay() {
  std::lock_guard lock(mutex_);
  sending_.command({"SET", key("here"), "1", "EX", kHere});
}

void RedisPool::submit(std::span<const Task> tasks) {
  std::lock_guard lock(mutex_);
  std::vector<Words> list;
  for (const Task& task : tasks)
    list.push_back(
        {"XADD", key("tasks"), "*", "id", task.id, "body", seal_.close(about_task(check_, task.id), task.body)});
  sending_.commands(list);
}

std::vector<Task> RedisPool::finished(Milliseconds wait) {
  const RedisAnswer answer = receiving_.command(
      {"XREAD", "COUNT", "64", "BLOCK", std::to_string(wait.count()), "STREAMS", key("results"), last_}, wait);
  std::vector<Task> tasks;
  if (answer.size() == 0 || answer[0].size() < 2) return tasks;
  Words remove = {"XDEL", key("results")};
  for (const RedisAnswer& entry : answer[0][1].parts) {
    std::optional<Task> task = entry_of(entry);
    if (!task) continue;
    last_ = task->place;
    remove.push_back(task->place);
    std::optional<std::string> result = seal_.open(about_result(check_, task->id), task->body);
    if (!result) {
      ++forged_;
      continue;
    }
    task->body = std::move(*result);
    tasks.push_back(std::move(*task));
  }
  if (remove.size() > 2) receiving_.command(remove);
  return tasks;
}

void RedisPool::keep(const std::string& name, const std::string& value) {
  std::lock_guard lock(mutex_);
  const std::string key = "plait:value:" + name;
  if (sending_.command({"EXPIRE", key, kKept}).number == 1) return;
  sending_.command({"SET", key, value, "EX", kKept});
}

void RedisPool::close() {
  std::lock_guard lock(mutex_);
  sending_.commands(
      {{"HDEL", "plait:checks", check_}, {"DEL", key("tasks"), key("results"), key("news"), key("here")}});
}

RedisSource::RedisSource(const RedisUrl& url, Seal seal, std::string worker, Milliseconds lease, Accept accept)
    : redis_(url),
      extending_(url),
      seal_(std::move(seal)),
      worker_(std::move(worker)),
      lease_(lease),
      accept_(std::move(accept)) {}

void RedisSource::look_for_checks() {
  looked_ = std::chrono::steady_clock::now();
  const RedisAnswer all = redis_.command({"HGETALL", "plait:checks"});
  std::map<std::string, std::string> now;
  for (size_t i = 0; i + 1 < all.size(); i += 2) {
    const std::string& check = all[i].text;
    if (redis_.command({"EXISTS", key_of(check, "here")}).number == 0) {  // whoever started it is gone
      redis_.commands({{"HDEL", "plait:checks", check},
                       {"DEL", key_of(check, "tasks"), key_of(check, "results"), key_of(check, "news")}});
      continue;
    }
    if (refused_.contains(check)) continue;
    if (const auto known = checks_.find(check); known != checks_.end()) {
      now.insert(*known);
      continue;
    }
    const std::optional<std::string> about = seal_.open("check " + check, all[i + 1].text);
    if (about && accept_(check, *about))
      now.emplace(check, *about);
    else
      refused_.insert(check);
  }
  checks_ = std::move(now);
  std::erase_if(heard_, [&](const auto& one) { return !checks_.contains(one.first); });
}

std::optional<Task> RedisSource::take(Milliseconds wait) {
  const auto now = std::chrono::steady_clock::now();
  if (checks_.empty() || now - looked_ > kLook) look_for_checks();
  if (checks_.empty()) {
    const std::string last = std::exchange(news_, "$");
    const RedisAnswer news =
        redis_.command({"XREAD", "BLOCK", std::to_string(wait.count()), "STREAMS", "plait:news", last}, wait);
    if (news.size() && news[0].size() > 1 && news[0][1].size()) news_ = news[0][1].parts.back()[0].text;
    look_for_checks();
    return std::nullopt;
  }
  if (now - searched_ > lease_ / 4) {
    searched_ = now;
    if (std::optional<Task> task = take_lost()) return task;
  }
  // One check after the other, so that none has to wait for all of another's tasks.
  auto next = checks_.upper_bound(turn_);
  if (next == checks_.end()) next = checks_.begin();
  turn_ = next->first;
  const Milliseconds share = wait / static_cast<int>(checks_.size());
  RedisAnswer answer;
  try {
    answer =
        redis_.command({"XREADGROUP", "GROUP", kGroup, worker_, "COUNT", "1", "BLOCK",
                        std::to_string(std::max<long long>(share.count(), 1)), "STREAMS", key_of(turn_, "tasks"), ">"},
                       share);
  } catch (const RedisRefused& error) {
    if (!error.is("NOGROUP") && !error.is("UNBLOCKED")) throw;
    checks_.erase(turn_);  // it is over
    return std::nullopt;
  }
  if (answer.size() == 0 || answer[0].size() < 2 || answer[0][1].size() == 0) return std::nullopt;
  return task_in(turn_, answer[0][1][0], 1);
}

/// What others have taken and do not work on any more.
std::optional<Task> RedisSource::take_lost() {
  for (const auto& [check, about] : checks_) {
    RedisAnswer answer;
    try {
      answer = redis_.command(
          {"XAUTOCLAIM", key_of(check, "tasks"), kGroup, worker_, std::to_string(lease_.count()), "0", "COUNT", "1"});
    } catch (const RedisRefused& error) {
      if (!error.is("NOGROUP")) throw;
      continue;
    }
    if (answer.size() < 2 || answer[1].size() == 0) continue;
    const RedisAnswer& entry = answer[1][0];
    searched_ = {};  // there may be more
    return task_in(check, entry, entry.size() ? times_taken(check, entry[0].text) : 1);
  }
  return std::nullopt;
}

unsigned RedisSource::times_taken(const std::string& check, const std::string& place) {
  const RedisAnswer pending = redis_.command({"XPENDING", key_of(check, "tasks"), kGroup, place, place, "1"});
  return pending.size() && pending[0].size() > 3 ? static_cast<unsigned>(pending[0][3].number) : 1;
}

std::optional<Task> RedisSource::task_in(const std::string& check, const RedisAnswer& entry, unsigned times) {
  std::optional<Task> task = entry_of(entry);
  if (!task) return std::nullopt;
  task->check = check;
  task->times = times;
  std::optional<std::string> body = seal_.open(about_task(check, task->id), task->body);
  if (!body) {  // not signed with our key: nobody is to do it
    redis_.commands(
        {{"XACK", key_of(check, "tasks"), kGroup, task->place}, {"XDEL", key_of(check, "tasks"), task->place}});
    return std::nullopt;
  }
  task->body = std::move(*body);
  return task;
}

bool RedisSource::extend(const Task& task) {
  try {
    const std::vector<RedisAnswer> answers =
        extending_.commands({{"HEXISTS", "plait:checks", task.check},
                             {"EXISTS", key_of(task.check, "here")},
                             {"XCLAIM", key_of(task.check, "tasks"), kGroup, worker_, "0", task.place, "JUSTID"}});
    return answers[0].number == 1 && answers[1].number == 1;
  } catch (const RedisRefused& error) {
    if (error.is("NOGROUP")) return false;
    throw;
  }
}

void RedisSource::finish(const Task& task, const std::string& result) {
  const std::string tasks = key_of(task.check, "tasks");
  // In one step, so that a task is never gone without its result.
  redis_.commands({{"MULTI"},
                   {"XADD", key_of(task.check, "results"), "*", "id", task.id, "body",
                    seal_.close(about_result(task.check, task.id), result)},
                   {"XACK", tasks, kGroup, task.place},
                   {"XDEL", tasks, task.place},
                   {"EXPIRE", key_of(task.check, "results"), kKept},
                   {"EXEC"}});
}

void RedisSource::give_back(const Task& task) {
  constexpr const char* kLong = "86400000";
  redis_.command({"XCLAIM", key_of(task.check, "tasks"), kGroup, worker_, "0", task.place, "IDLE", kLong, "JUSTID"});
}

std::optional<std::string> RedisSource::value(const std::string& name) {
  RedisAnswer answer = redis_.command({"GET", "plait:value:" + name});
  if (answer.is_nil) return std::nullopt;
  return std::move(answer.text);
}

std::optional<std::string> RedisSource::about(const std::string& check) {
  const auto found = checks_.find(check);
  return found == checks_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<WorkSource::News> RedisSource::exchange(const std::string& check, const News& told) {
  std::string& heard = heard_.try_emplace(check, "-").first->second;
  const std::string key = key_of(check, "news");
  std::vector<Words> words;
  if (!told.text.empty()) {
    words.push_back({"XADD", key, "MAXLEN", "~", "100000", "*", "topic", told.topic, "body",
                     seal_.close(about_news(check, told.topic), told.text)});
    words.push_back({"EXPIRE", key, kKept});
  }
  words.push_back({"XRANGE", key, heard, "+"});
  std::vector<News> news;
  try {
    const std::vector<RedisAnswer> answers = redis_.commands(words);
    for (const RedisAnswer& entry : answers.back().parts) {
      const std::optional<Task> one = entry_of(entry);
      if (!one) continue;
      heard = "(" + one->place;
      std::optional<std::string> text = seal_.open(about_news(check, one->id), one->body);
      if (text) news.push_back({one->id, std::move(*text)});
    }
  } catch (const RedisLost&) {
  } catch (const RedisRefused&) {
  }
  return news;
}

std::map<std::string, std::string> read_workers(Redis& redis) {
  std::map<std::string, std::string> workers;
  const long long now = std::stoll(redis.command({"TIME"})[0].text);
  const RedisAnswer all = redis.command({"HGETALL", "plait:workers"});
  for (size_t i = 0; i + 1 < all.size(); i += 2) {
    const size_t blank = all[i + 1].text.find(' ');
    const long long seen = std::atoll(all[i + 1].text.c_str());
    if (now - seen > kAlive)
      redis.command({"HDEL", "plait:workers", all[i].text});
    else if (blank != std::string::npos)
      workers.emplace(all[i].text, all[i + 1].text.substr(blank + 1));
  }
  return workers;
}

void tell_worker(Redis& redis, const std::string& worker, const std::string& state) {
  const std::string now = redis.command({"TIME"})[0].text;
  redis.command({"HSET", "plait:workers", worker, now + " " + state});
}

void forget_worker(Redis& redis, const std::string& worker) { redis.command({"HDEL", "plait:workers", worker}); }

}  // namespace plait::cluster
