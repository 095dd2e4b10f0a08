#include "cluster/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cluster/messages.h"
#include "cluster/redis_pool.h"
#include "cluster/seal.h"
#include "cluster/task_runner.h"

namespace plait::cluster {
namespace {

WorkerState worker_of(const std::string& name, const std::string& state) {
  WorkerState worker{.name = name};
  const Json json = Json::parse(state, nullptr, false);
  if (!json.is_object()) return worker;
  worker.compatibility = json.value("compatibility", "");
  worker.check = json.value("check", "");
  worker.what = json.value("what", "");
  worker.program = json.value("program", "");
  worker.tasks = json.value("tasks", u64{0});
  worker.runs = json.value("runs", u64{0});
  if (json.contains("refused") && json.at("refused").is_object())
    for (const auto& [check, why] : json.at("refused").items())
      worker.refused.push_back(check + ": " + (why.is_string() ? why.get<std::string>() : ""));
  return worker;
}

CheckState check_of(Redis& redis, const std::string& name, const std::string& sealed) {
  CheckState check{.name = name};
  try {
    // It is shown, not acted upon: whoever signed it.
    const CheckTerms terms = terms_from_json(from_bytes(Seal().open("", sealed).value_or("")));
    check.what = terms.what;
    check.program = terms.shipment.hash;
    check.explorer = terms.explorer;
  } catch (const std::exception&) {
    check.what = "(of another version)";
  }
  const std::string tasks = "plait:" + name + ":tasks";
  const u64 all = static_cast<u64>(redis.command({"XLEN", tasks}).number);
  u64 taken = 0;
  try {
    taken = static_cast<u64>(redis.command({"XPENDING", tasks, "workers"})[0].number);
  } catch (const RedisRefused&) {  // it is over
  }
  check.taken = std::min(taken, all);
  check.waiting = all - check.taken;
  return check;
}

}  // namespace

Overview look_at(Redis& redis) {
  Overview now;
  const RedisAnswer time = redis.command({"TIME"});
  now.when = std::stod(time[0].text) + std::stod(time[1].text) * 1e-6;
  for (const auto& [name, state] : read_workers(redis)) now.workers.push_back(worker_of(name, state));
  const RedisAnswer checks = redis.command({"HGETALL", "plait:checks"});
  for (size_t i = 0; i + 1 < checks.size(); i += 2)
    now.checks.push_back(check_of(redis, checks[i].text, checks[i + 1].text));
  return now;
}

Json overview_to_json(const Overview& now) {
  Json workers = Json::array(), checks = Json::array();
  for (const WorkerState& worker : now.workers)
    workers.push_back({{"worker", worker.name},
                       {"compatibility", worker.compatibility},
                       {"check", worker.check},
                       {"what", worker.what},
                       {"program", worker.program},
                       {"tasks", worker.tasks},
                       {"runs", worker.runs},
                       {"refused", worker.refused}});
  for (const CheckState& check : now.checks)
    checks.push_back({{"check", check.name},
                      {"what", check.what},
                      {"program", check.program},
                      {"explore", check.explorer},
                      {"waiting", check.waiting},
                      {"taken", check.taken}});
  return {{"workers", workers}, {"checks", checks}};
}

std::string overview_text(const Overview& now, const Overview& before) {
  std::string text = fmt::format("{} worker{}, {} check{}\n", now.workers.size(), now.workers.size() == 1 ? "" : "s",
                                 now.checks.size(), now.checks.size() == 1 ? "" : "s");
  const double seconds = now.when - before.when;
  for (const WorkerState& worker : now.workers) {
    const auto then = std::find_if(before.workers.begin(), before.workers.end(),
                                   [&](const WorkerState& other) { return other.name == worker.name; });
    fmt::format_to(std::back_inserter(text), "  {}  {} tasks, {} runs", worker.name, worker.tasks, worker.runs);
    if (then != before.workers.end() && seconds > 0 && worker.runs >= then->runs)
      fmt::format_to(std::back_inserter(text), " ({:.0f} per second)",
                     static_cast<double>(worker.runs - then->runs) / seconds);
    text += worker.check.empty() ? ", idle\n" : fmt::format(", on {} ({})\n", worker.check, worker.what);
    for (const std::string& refused : worker.refused) text += "    refuses " + refused + "\n";
  }
  for (const CheckState& check : now.checks)
    fmt::format_to(std::back_inserter(text), "  check {}  {} ({}), {} tasks waiting, {} taken\n    program {}\n",
                   check.name, check.what, check.explorer, check.waiting, check.taken, check.program);
  return text;
}

}  // namespace plait::cluster
