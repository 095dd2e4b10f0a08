// What a worker does with the tasks of one check: it has the program, and runs of it are made here.
#pragma once
#include <functional>
#include <map>
#include <mutex>

#include "cluster/messages.h"
#include "cluster/shipping.h"
#include "cluster/work_pool.h"
#include "explore/control.h"
#include "host/native_runner.h"

namespace plait::cluster {

/// What all tasks of a check have in common.
struct CheckTerms {
  Shipment shipment;
  SessionOptions session;
  WorkerOptions worker;
  ExploreOptions options;
  KindSet checked = KindSet::standard();
  bool outcomes = false;
  std::string explorer;
  std::string what;  // for people
};
Json terms_to_json(const CheckTerms& terms);
CheckTerms terms_from_json(const Json& json);

class TaskRunner {
 public:
  using Fetch = Cache::Fetch;
  using Exchange = std::function<std::vector<WorkSource::News>(const WorkSource::News& told)>;
  /// Throws Error when the program cannot be run here.
  TaskRunner(const std::string& about, const Cache& cache, Fetch fetch, Exchange exchange);
  ~TaskRunner();
  /// The result of a task, which may be that it cannot be done. Nothing if it was cancelled, or cannot be done yet.
  std::optional<std::string> run(const std::string& body);
  /// From another thread: nobody wants the result of the task under way.
  void cancel();
  u64 runs() const { return runs_; }
  const CheckTerms& terms() const { return terms_; }

 private:
  struct Session;
  class News;
  Session& session(const Json& task, bool go_on);
  Json make_runs(const Json& task);
  Json explore_part(const Json& task);
  Json explore_whole(const Json& task);
  Json explored(const Json& task, Session& session, Findings& findings, const Control& control, Attempt attempt);
  /// Whom cancel() is to stop.
  void work_under(Control* control);

  CheckTerms terms_;
  Fetch fetch_;
  Exchange exchange_;
  std::map<std::string, std::string> heard_;  // by topic
  Program program_;
  std::unique_ptr<Session> session_;
  std::mutex mutex_;
  Control* control_ = nullptr;
  std::atomic<bool> cancelled_{false};
  std::atomic<u64> runs_{0};
};

}  // namespace plait::cluster
