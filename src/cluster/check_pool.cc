#include "cluster/check_pool.h"

#include <fmt/core.h>
#include <unistd.h>

#include <random>

#include "base/error.h"
#include "cluster/redis_pool.h"
#include "explore/parts.h"

namespace plait::cluster {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::seconds(1);
constexpr double kFirstPart = 0.05, kPart = 0.5;  // seconds
constexpr u64 kRunsOfPart = 4096;                 // when runs are counted

std::string fresh_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

using Values = std::map<std::string, std::shared_ptr<const std::string>>;
struct Packed {
  Shipment shipment;
  Values values;
};

/// The tests of one program are many checks: it is packed once for all of them.
Packed packed_once(const Program& program) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, Packed> known;
  std::lock_guard lock(mutex);
  const auto [found, is_new] = known.try_emplace({program.path, program.input_path});
  Packed& packed = found->second;
  if (is_new) {
    try {
      packed.shipment = pack(program, [&](const std::string& content) {
        std::string hash = content_hash(content);
        packed.values.emplace(hash, std::make_shared<std::string>(content));
        return hash;
      });
    } catch (...) {
      known.erase(found);
      throw;
    }
  }
  Packed result = packed;
  result.shipment.program.arguments = program.arguments;
  return result;
}

u64 counted(const Json& result) { return result.at("counters").at("executions"); }

/// A task, made and taken apart in one place.
std::string part_task(const std::string& part, KeptVisibility& visibility, const PartBudget& budget) {
  Json task = {{"kind", "part"}, {"part", text_to_json(part)}, {"runs", budget.runs}, {"seconds", budget.seconds}};
  visibility.put_into(task);
  return to_bytes(task);
}

}  // namespace

struct ClusterCheck::Fleet {
  u32 fit = 0, unfit = 0;
  std::vector<std::string> refusals;  // of this check, by those that fit
  std::string other;                  // the version of one that does not
};

ClusterCheck::ClusterCheck(const ClusterOptions& options, CheckTerms terms, const Program& program)
    : options_(options), name_(fresh_name()), explorer_(explorer_named(terms.explorer)), redis_(RedisUrl(options.url)) {
  redis_.require();
  const RedisUrl url(options.url);
  const Seal seal = read_key(options.key_file);
  require_workers();
  auto pool = std::make_unique<RedisPool>(url, seal, name_);
  const Packed packed = packed_once(program);
  terms.shipment = packed.shipment;
  const Values& values = packed.values;
  try {
    for (const auto& [hash, content] : values) pool->keep(hash, *content);
    dispatcher_ = std::make_unique<Dispatcher>(
        std::move(pool), to_bytes(terms_to_json(terms)), options.patience,
        [quiet = options.quiet](const std::string& line) {
          if (!quiet) fmt::print(stderr, "plait: {}\n", line);
        },
        [this] { workers(); });
    for (const auto& [hash, content] : values) dispatcher_->keep(hash, content);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Error(kExitUsage, fmt::format("Redis at {} does not take the program: {}", url.shown, error.what()));
  }
}

ClusterCheck::Fleet ClusterCheck::look_at_workers() {
  Fleet fleet;
  for (const auto& [worker, state] : read_workers(redis_)) {
    const Json json = Json::parse(state, nullptr, false);
    if (!json.is_object() || !json.contains("compatibility")) continue;
    if (json.at("compatibility") != compatibility()) {
      ++fleet.unfit;
      fleet.other = json.at("compatibility");
      continue;
    }
    ++fleet.fit;
    if (json.contains("refused") && json.at("refused").contains(name_))
      fleet.refusals.push_back(json.at("refused").at(name_));
  }
  return fleet;
}

void ClusterCheck::require_workers() {
  const Fleet fleet = look_at_workers();
  if (fleet.fit == 0 && fleet.unfit)
    throw Error(kExitUsage, fmt::format("the workers at {} are of {}, this command is of {}", redis_.url().shown,
                                        fleet.other, compatibility()));
  if (fleet.fit == 0 && !options_.quiet)
    fmt::print(stderr, "plait: there is no worker at {} yet: plait worker URL starts some\n", redis_.url().shown);
}

u32 ClusterCheck::workers() {
  std::lock_guard lock(mutex_);
  if (Clock::now() - looked_ < kLook) return workers_;
  looked_ = Clock::now();
  Fleet fleet;
  try {
    fleet = look_at_workers();
  } catch (const std::runtime_error&) {
    return workers_;
  }
  refused_ = fleet.fit > 0 && fleet.refusals.size() == fleet.fit;
  if (refused_) throw Error(kExitUsage, fmt::format("no worker takes this check: {}", fleet.refusals[0]));
  return workers_ = fleet.fit - static_cast<u32>(fleet.refusals.size());
}

std::string ClusterCheck::progress() {
  std::lock_guard lock(mutex_);
  return fmt::format("{} worker{}, {} tasks in flight", workers_, workers_ == 1 ? "" : "s", account().in_flight());
}

std::unique_ptr<Runners> ClusterCheck::runners(SessionMemory& session, bool go_on) {
  return std::make_unique<RemoteRunners>(*dispatcher_, session, go_on);
}

bool ClusterCheck::explore_parts(Exploration& exploration, Findings& findings, SessionMemory& session) {
  for (;;) {
    exploration.refresh();
    exploration.races.clear();
    exploration.control.counters.interleavings.store(0);
    const Attempt attempt = attempt_parts(exploration, findings, session);
    if (attempt != Attempt::SharingGrew) exploration.show_races(exploration.crew.first(), exploration.visibility);
    if (attempt == Attempt::Complete) return !exploration.control.stopped();
    if (attempt == Attempt::Stopped || exploration.control.stopped()) return false;
    exploration.control.counters.restarts.fetch_add(1);
    findings.restarted();
  }
}

namespace {

/// What is under way, and what it may cost.
struct Parts {
  struct Sent {
    std::string part;
    u64 allowed;
  };
  std::map<u64, Sent> sent;
  u64 done = 0;
};

}  // namespace

Attempt ClusterCheck::attempt_parts(Exploration& exploration, Findings& findings, SessionMemory& session) {
  Control& control = exploration.control;
  const std::unique_ptr<PartPlan> plan = explorer_.plan(exploration);
  KeptVisibility visibility(*dispatcher_, session);
  Parts parts;
  bool grew = false;
  const bool counts = control.limits().executions.has_value();
  auto send = [&](std::string part, u64 allowed) {
    PartBudget budget{counts ? allowed : ~u64{0}, parts.done < 4 * workers_ ? kFirstPart : kPart};
    const u64 task = dispatcher_->submit(part_task(part, visibility, budget));
    parts.sent[task] = {std::move(part), allowed};
  };
  for (;;) {
    const u32 most = std::max(1u, workers()) * 2;  // the next one waits at the worker's door
    while (!grew && !control.stopped() && parts.sent.size() < most) {
      if (control.left() == 0 && !parts.sent.empty()) break;  // some of it may come back
      std::optional<std::string> part = plan->take();
      if (!part) break;
      const u64 allowed = control.take(kRunsOfPart);
      if (!allowed) break;  // stopped: nobody is to explore it
      send(std::move(*part), allowed);
    }
    if (parts.sent.empty()) break;
    if (control.cancel_flag()) return Attempt::Stopped;
    if (control.reason() == StopReason::Bug) return Attempt::Stopped;
    const std::optional<Dispatcher::Done> done = dispatcher_->next(Milliseconds(50));
    if (!done || !parts.sent.contains(done->task)) continue;
    const Parts::Sent part = std::move(parts.sent.extract(done->task).mapped());
    const Json result = result_of(done->result);
    ++parts.done;
    try {
      const SessionNews news = news_from_json(result.at("news"));
      if (result.at("unnumbered")) {  // threads that nobody had numbered: once more, with their numbers
        take_over_threads(session, news);
        if (!grew) send(part.part, part.allowed);
        continue;
      }
      visibility.take_over(news);
      // Parts that are sent from now on would see more than those before.
      grew |= !explorer_.samples && session.extent() != exploration.visibility.extent();
      add_counters(control.counters, result.at("counters"));
      control.give_back(part.allowed - std::min(part.allowed, counted(result)));
      const auto attempt = static_cast<Attempt>(result.at("attempt").get<int>());
      grew |= attempt == Attempt::SharingGrew;
      findings.add(findings_from_json(result.at("found")));
      const auto reason = static_cast<StopReason>(result.at("reason").get<int>());
      if (reason == StopReason::NotCheckable || reason == StopReason::Memory) control.stop(reason);
      if (attempt == Attempt::Complete) plan->done(text_from_json(result.at("outcome")));
    } catch (const Json::exception& error) {
      throw_damaged("a result", error);
    } catch (const std::runtime_error& error) {
      throw_damaged("a part", error);
    }
  }
  if (grew) return Attempt::SharingGrew;
  if (!control.stopped()) return plan->finish();
  plan->give_up();
  return Attempt::Stopped;
}

bool ClusterCheck::explore_whole(Control& control, Findings& findings, SessionMemory& session, Schedules& taught) {
  Json task = {{"kind", "whole"}};
  KeptVisibility visibility(*dispatcher_, session);
  visibility.put_into(task);
  const std::optional<double> left = control.seconds_left();
  task["seconds"] = left ? Json(*left) : Json(nullptr);
  task["runs"] = control.limits().executions ? Json(*control.limits().executions) : Json(nullptr);
  const u64 number = dispatcher_->submit(to_bytes(task));
  std::optional<std::string> bytes;
  while (!bytes && !control.cancel_flag()) {
    workers();
    if (const auto done = dispatcher_->next(Milliseconds(100)); done && done->task == number) bytes = done->result;
  }
  if (!bytes) return false;
  const Json result = result_of(*bytes);
  try {
    visibility.take_over(news_from_json(result.at("news")));
    add_counters(control.counters, result.at("counters"));
    findings.add(findings_from_json(result.at("found")));
    const auto reason = static_cast<StopReason>(result.at("reason").get<int>());
    if (reason != StopReason::None && reason != StopReason::Interrupted) control.stop(reason);
    for (const Json& schedule : result.at("taught")) taught.push_back(list_from_json<Choice>(schedule));
    return static_cast<Attempt>(result.at("attempt").get<int>()) == Attempt::Complete;
  } catch (const Json::exception& error) {
    throw_damaged("a result", error);
  }
}

}  // namespace plait::cluster
