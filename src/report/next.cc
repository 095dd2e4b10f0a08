#include "report/next.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace plait {
namespace {

struct Advice {
  std::string_view limit;   // how the line of the limit begins, or what is in it (then it begins with a *)
  std::string_view advice;  // what helps
};

/// In this order. The words of the limits are those of engine/recording.cc, check/findings.cc and the explorers.
constexpr Advice kAdvice[] = {
    {"interrupted", "--resume goes on where this check ended (cumulative)"},
    {"timeout", "a larger --timeout; --resume goes on where this check ended (cumulative)"},
    {"timeout", "--explore pct looks for bugs at random, in whatever time there is"},
    {"max-executions", "a larger --max-executions, or none"},
    {"memory", "a larger --memory, or fewer threads and turns of loops in the test"},
    {"memory", "--races off needs fewer states; --explore pct needs none"},
    {"max-events", "a larger --max-events; if the program loops for ever, bound that loop"},
    {"preemption-bound", "a larger --preemption-bound, or --explore cumulative, which needs none"},
    {"*schedules are sampled", "--explore cumulative, the default, can prove that there is no bug"},
    {"races", "--races off, if data races are not the question"},
    {"waiting loop",
     "that loop counts its turns in memory, or keeps a time in a variable: bound its count, let it block, or wait "
     "for a while (wait_for, try_lock_for) in place of until a time"},
    {"solver", "--solver native, or the default --explore cumulative"},
    {"store-buffer", "--explore cumulative"},
    {"out-of-resources: out of memory", "a larger --run-memory"},
    {"out-of-resources", "fewer threads, or less memory: docs/unsupported.md has the limits"},
    {"*thread that Plait did not create",
     "compile the library that starts threads with plait c++, or link it statically"},
    {"unsupported", "docs/unsupported.md says what can be used instead"},
    {"ignored", "fix what is ignored, or let it be reported: --check adds a kind"},
    {"divergence: the program did not run", "compile the program again with this version"},
    {"divergence",
     "look for what differs between runs (addresses, time, files, a library that was not compiled with "
     "plait c++): plait check -v names the first difference"},
    {"library: ", "compile that library with plait c++ or plait cc, or say --trust-libraries"},
    {"max-paths", "a larger --max-paths, or smaller ranges (plait::input_range)"},
    {"inputs: ", "smaller ranges (plait::input_range), or one value: --input NAME=VALUE"},
    {"shortest-seeds", "without --shortest-seeds no run is missing"},
    {"*did not show when it was run", "--explore dpor asks in another way; please report it, with the program"},
    {"a schedule that should have shown", "--explore dpor asks in another way; please report it, with the program"},
    {"error", "try once more; if it stays, please report it, with the program"},
    {"audit", "this is an error of Plait: please report it, with the recorded schedule"},
};

/// What a runtime of others has told of itself, its author can change.
constexpr Advice kRuntimeAdvice[] = {
    {"timeout", "a larger --timeout, or a smaller system: fewer actors, events and budgets"},
    {"timeout", "--explore cumulative needs fewer runs, if the runtime says what its events do to values"},
    {"max-executions", "a larger --max-executions, or none"},
    {"max-events", "a larger --max-events; if the system runs for ever, let the runtime end it"},
    {"memory", "a larger --memory, or a smaller system: fewer actors, events and budgets"},
    {"values", "--explore dpor needs no values; docs/runtimes.md says what operations must tell"},
    {"divergence", "the same seed must give the same run, in every process: no clock, no chance (docs/runtimes.md)"},
    {"error", "docs/runtimes.md says what a runtime promises"},
    {"shortest-seeds", "without --shortest-seeds no run is missing"},
};

/// A limit of one test of several has the test's name in front of it.
bool fits(std::string_view limit, std::string_view begin) {
  if (begin.starts_with('*')) return limit.find(begin.substr(1)) != std::string_view::npos;
  if (limit.starts_with(begin)) return true;
  const size_t colon = limit.find(": ");
  return colon != std::string_view::npos && limit.substr(colon + 2).starts_with(begin);
}

}  // namespace

std::vector<std::string> next_steps(const CheckResult& result) {
  std::vector<std::string> steps;
  if (result.verdict != Verdict::Inconclusive) return steps;
  const std::span<const Advice> all =
      result.of_runtime ? std::span<const Advice>(kRuntimeAdvice) : std::span<const Advice>(kAdvice);
  for (const std::string& limit : result.limits) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (!fits(limit, all[i].limit)) continue;
      const std::string text(all[i].advice);
      if (std::find(steps.begin(), steps.end(), text) == steps.end()) steps.push_back(text);
      // The more special line comes first; several of one kind belong together.
      if (i + 1 == all.size() || all[i + 1].limit != all[i].limit) break;
    }
  }
  // What a library hides: it could be seen.
  for (const ReportedOpaque& one : result.opaque)
    if (!one.place.function.empty() && steps.size() < 4) {
      steps.push_back("compile what " + one.place.function +
                      " calls with plait c++, or link it statically: " + one.why);
      break;
    }
  return steps;
}

}  // namespace plait
