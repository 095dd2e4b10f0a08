#include "cluster/task_runner.h"

#include <fmt/core.h>

#include "base/error.h"
#include "explore/parts.h"
#include "explore/registry.h"

namespace plait::cluster {
namespace {

constexpr size_t kMostBytes = size_t{16} << 20;  // of a result: the rest of a batch is another task

/// Runners that all are the same one, which goes on living: starting a process costs more than a small part.
class Lent : public Runners {
 public:
  Lent(Runner& runner, SessionMemory& session) : runner_(runner), session_(session) {}
  std::unique_ptr<Runner> make() override { return std::make_unique<Forward>(runner_); }
  Visibility visibility() override { return session_.visibility(); }
  bool share_block_size(u64 block) override { return session_.share_block_size(block); }

 private:
  struct Forward : Runner {
    explicit Forward(Runner& to) : to(to) {}
    bool run(const Batch& batch, const Visibility& given, const std::atomic<bool>& cancel,
             const Consume& consume) override {
      return to.run(batch, given, cancel, consume);
    }
    Runner& to;
  };
  Runner& runner_;
  SessionMemory& session_;
};

}  // namespace

Json terms_to_json(const CheckTerms& terms) {
  return {{"compatibility", compatibility()},
          {"shipment", shipment_to_json(terms.shipment)},
          {"session", value_to_json(terms.session)},
          {"worker", value_to_json(terms.worker)},
          {"options", options_to_json(terms.options)},
          {"checked", terms.checked.names()},
          {"outcomes", terms.outcomes},
          {"explorer", terms.explorer},
          {"what", text_to_json(terms.what)}};
}

CheckTerms terms_from_json(const Json& json) {
  CheckTerms terms;
  terms.shipment = shipment_from_json(json.at("shipment"));
  terms.session = value_from_json<SessionOptions>(json.at("session"));
  terms.worker = value_from_json<WorkerOptions>(json.at("worker"));
  terms.options = options_from_json(json.at("options"), machine::rules_of(terms.session.memory_model));
  std::string kinds;
  for (const Json& kind : json.at("checked")) kinds += (kinds.empty() ? "" : ",") + kind.get<std::string>();
  terms.checked = KindSet::parse(kinds);
  terms.outcomes = json.at("outcomes");
  terms.explorer = json.at("explorer");
  terms.what = text_from_json(json.at("what"));
  return terms;
}

/// The processes for one visibility. They find out more, and are then of no use for others.
struct TaskRunner::Session {
  Session(const Program& program, const CheckTerms& terms, const std::string& name, const Visibility& given, bool go_on)
      : name(name), given(given), go_on(go_on), memory(std::make_shared<SessionMemory>(terms.session)) {
    memory->teach(given);
    WorkerOptions options = terms.worker;
    options.go_on = go_on;
    runners = std::make_unique<NativeRunners>(program, memory, options);
    runner = runners->make();
  }
  /// Thread numbers that the others do not know.
  bool unnumbered() const { return memory->session().identity_count > std::max<size_t>(1, given.identities.size()); }
  bool fresh() const { return !unnumbered() && memory->extent() == given.extent(); }

  std::string name;
  Visibility given;
  bool go_on;
  std::shared_ptr<SessionMemory> memory;
  std::unique_ptr<NativeRunners> runners;
  std::unique_ptr<Runner> runner;
};

/// What the check knows already of who has touched what.
std::vector<u64> told(const Json& task) { return list_from_json<u64>(task.at("told")); }

/// The server has lost what a task needs: whoever submitted it submits it again, with all that.
struct Forgotten {};

/// Of parts with one visibility.
class TaskRunner::News : public PartNews {
 public:
  News(TaskRunner& runner, std::string topic) : runner_(runner), topic_(std::move(topic)) {}
  std::string exchange(std::string_view told) override {
    std::string now;
    for (const WorkSource::News& one : runner_.exchange_({topic_, std::string(told)})) {
      runner_.heard_[one.topic] += one.text;
      if (one.topic == topic_) now += one.text;
    }
    return now;
  }
  std::string heard() override { return runner_.heard_[topic_]; }

 private:
  TaskRunner& runner_;
  const std::string topic_;
};

TaskRunner::TaskRunner(const std::string& about, const Cache& cache, Fetch fetch, Exchange exchange)
    : fetch_(std::move(fetch)), exchange_(std::move(exchange)) {
  try {
    terms_ = terms_from_json(from_bytes(about));
    (void)explorer_named(terms_.explorer);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw_damaged("a check", error);
  }
  program_ = cache.unpack(terms_.shipment, fetch_);
}

TaskRunner::~TaskRunner() = default;

std::optional<std::string> TaskRunner::run(const std::string& body) {
  cancelled_ = false;
  Json result;
  try {
    const Json task = from_bytes(body);
    const std::string kind = task.at("kind");
    if (kind == "runs")
      result = make_runs(task);
    else if (kind == "part")
      result = explore_part(task);
    else if (kind == "whole")
      result = explore_whole(task);
    else
      throw Error(kExitInternal, "a task is of no kind that this version knows");
  } catch (const Forgotten&) {
    session_.reset();
    return std::nullopt;
  } catch (const Error& error) {
    result = {{"error", text_to_json(error.what())}, {"code", error.exit_code()}};
    session_.reset();
  } catch (const std::exception& error) {
    result = {{"error", text_to_json(fmt::format("a task is damaged: {}", error.what()))}, {"code", kExitInternal}};
    session_.reset();
  }
  if (cancelled_) {
    session_.reset();
    return std::nullopt;
  }
  return to_bytes(result);
}

void TaskRunner::cancel() {
  std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (control_) control_->stop(StopReason::Interrupted);
}

void TaskRunner::work_under(Control* control) {
  std::lock_guard lock(mutex_);
  control_ = control;
  if (control && cancelled_) control->stop(StopReason::Interrupted);
}

TaskRunner::Session& TaskRunner::session(const Json& task, bool go_on) {
  const std::string name = task.at("visibility");
  if (session_ && session_->fresh() && session_->name == name && session_->go_on == go_on) return *session_;
  const std::optional<std::string> value = fetch_(name);
  if (!value) throw Forgotten{};
  session_.reset();
  session_ = std::make_unique<Session>(program_, terms_, name, visibility_from_json(from_bytes(*value)), go_on);
  return *session_;
}

Json TaskRunner::make_runs(const Json& task) {
  const Batch batch = batch_from_json(task);
  Session& session = this->session(task, task.at("go_on"));
  Runs runs;
  bool enough = false;
  session.runner->run(batch, session.given, cancelled_, [&](u32, const RunView& run) {
    ++runs_;
    if (enough) return;
    runs.add(run);
    enough = runs.bytes() > kMostBytes;
  });
  const bool unnumbered = session.unnumbered();
  Json result = {{"news", news_to_json(*session.memory, told(task))}, {"unnumbered", unnumbered}};
  result["runs"] = (unnumbered ? Runs() : runs).to_json();
  return result;
}

Json TaskRunner::explored(const Json& task, Session& session, Findings& findings, const Control& control,
                          Attempt attempt) {
  runs_ += control.counters.executions;
  return {{"news", news_to_json(*session.memory, told(task))},
          {"unnumbered", session.unnumbered()},
          {"attempt", static_cast<int>(attempt)},
          {"reason", static_cast<int>(control.reason())},
          {"found", findings_to_json(findings.found())},
          {"counters", counters_to_json(control.counters)}};
}

Json TaskRunner::explore_part(const Json& task) {
  const ExplorerInfo& explorer = explorer_named(terms_.explorer);
  if (!explorer.explore_part) throw Error(kExitInternal, "this explorer has no parts");
  Session& session = this->session(task, terms_.options.keep_going);
  PartBudget budget{task.at("runs"), task.at("seconds")};
  Limits limits;
  if (budget.runs != ~u64{0}) limits.executions = budget.runs;
  Control control(limits);
  work_under(&control);
  Findings findings(control, {terms_.options.keep_going, terms_.outcomes, terms_.checked});
  Lent lent(*session.runner, *session.memory);
  News news(*this, session.name);
  std::string outcome;
  Attempt attempt;
  {
    Exploration exploration{lent, terms_.options, control, findings};
    exploration.visibility = session.given;
    exploration.news = &news;
    attempt = explorer.explore_part(exploration, text_from_json(task.at("part")), budget, outcome);
    if (attempt == Attempt::Complete) exploration.show_races(exploration.crew.first(), exploration.visibility);
  }
  work_under(nullptr);
  Json result = explored(task, session, findings, control, attempt);
  result["outcome"] = text_to_json(outcome);
  return result;
}

Json TaskRunner::explore_whole(const Json& task) {
  const ExplorerInfo& explorer = explorer_named(terms_.explorer);
  session_.reset();
  Session& session = this->session(task, terms_.options.keep_going);
  Limits limits;
  if (!task.at("seconds").is_null()) limits.seconds = task.at("seconds").get<double>();
  if (!task.at("runs").is_null()) limits.executions = task.at("runs").get<u64>();
  Control control(limits);
  work_under(&control);
  Findings findings(control, {terms_.options.keep_going, terms_.outcomes, terms_.checked});
  Schedules taught;
  bool complete = false;
  {
    Exploration exploration{*session.runners, terms_.options, control, findings};
    exploration.options.taught = &taught;
    if (limits.seconds)
      exploration.options.end =
          std::chrono::steady_clock::now() + std::chrono::microseconds(static_cast<i64>(*limits.seconds * 1e6));
    learn_first(exploration, explorer);
    complete = !control.stopped() && plait::explore(*explorer.make(), exploration) && !control.stopped();
  }
  work_under(nullptr);
  Json result = explored(task, session, findings, control, complete ? Attempt::Complete : Attempt::Stopped);
  Json schedules = Json::array();
  if (!complete)
    for (const auto& schedule : taught) schedules.push_back(list_to_json(std::span<const Choice>(schedule)));
  result["taught"] = schedules;
  session_.reset();
  return result;
}

}  // namespace plait::cluster
