#include "engine/recording.h"

#include <fmt/core.h>

#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/memory_use.h"
#include "report/bug_json.h"
#include "report/files.h"

namespace plait {

void Recorder::warn(const std::string& message) {
  if (!std::exchange(warned_, true)) fmt::print(stderr, "plait: {}\n", message);
}

std::string Recorder::record(const std::string& name, const Bug& bug) {
  std::string file = directory_ + "/" + name;
  try {
    write_file(file, json_text(bug_to_json(bug), 1) + "\n");
    return file;
  } catch (const Error& error) {
    std::remove(file.c_str());  // of an earlier check
    warn(error.what());
    return "";
  }
}

void conclude(CheckResult& result, const Control& control, const CheckOptions& options, bool samples, bool complete,
              const std::vector<std::string>& obstacles) {
  switch (control.reason()) {
    case StopReason::Timeout: result.limits.push_back(fmt::format("timeout: {} seconds", *options.timeout)); break;
    case StopReason::MaxExecutions:
      result.limits.push_back(fmt::format("max-executions: {}", *options.max_executions));
      break;
    case StopReason::Memory:
      result.limits.push_back(
          fmt::format("memory: {:.1f} GB (--memory)", static_cast<double>(memory_limit()) / (1 << 30)));
      break;
    case StopReason::Interrupted: result.limits.push_back("interrupted"); break;
    default: break;
  }
  if (const u64 limited = control.counters.limited)
    result.limits.push_back(fmt::format("max-events: {} {} {} scheduling points", limited,
                                        limited == 1 ? "run reached" : "runs reached", options.max_events));
  if (samples && result.bugs.empty()) result.limits.push_back(options.explore + ": schedules are sampled");
  result.limits.insert(result.limits.end(), obstacles.begin(), obstacles.end());
  result.complete = complete && result.limits.empty();
  result.interrupted = control.reason() == StopReason::Interrupted;
  if (!result.bugs.empty())
    result.verdict = Verdict::Bug;
  else
    result.verdict = result.complete ? Verdict::Safe : Verdict::Inconclusive;
  result.seconds = control.seconds();
}

}  // namespace plait
