// plait replay: one recorded schedule, once more, in a fresh process, with the program's output shown. The trace must
// be the recorded one, event by event.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/debugger.h"
#include "cli/options.h"
#include "cli/target.h"
#include "host/describe.h"
#include "host/error.h"
#include "report/bug_json.h"
#include "report/names.h"
#include "report/story.h"

namespace plait {
namespace {

std::string in_words(const BugEvent& e) {
  return fmt::format("{} {} ({})", thread_name(e.raw.thread), event_text(e.raw, e.where), short_place(e.place));
}

bool same(const BugEvent& a, const BugEvent& b) {
  const Event &x = a.raw, &y = b.raw;
  return x.thread == y.thread && x.op == y.op && x.position == y.position && x.location == y.location &&
         x.value == y.value && x.operand == y.operand && x.extra == y.extra && x.size == y.size && x.arg == y.arg &&
         a.place.file == b.place.file && a.place.line == b.place.line;
}

/// Empty when the traces agree.
std::string divergence(const Bug& expected, const Bug& got) {
  size_t common = std::min(expected.events.size(), got.events.size());
  for (size_t i = 0; i < common; ++i)
    if (!same(expected.events[i], got.events[i]))
      return fmt::format("diverged at event {}: expected {}, got {}", i + 1, in_words(expected.events[i]),
                         in_words(got.events[i]));
  std::string end = got.failure ? failure_message(*got.failure) : "the end of the run";
  if (expected.events.size() > common)
    return fmt::format("diverged at event {}: expected {}, got {}", common + 1, in_words(expected.events[common]), end);
  if (got.events.size() > common)
    return fmt::format("diverged at event {}: expected {}, got {}", common + 1,
                       expected.failure ? failure_message(*expected.failure) : "the end of the run",
                       in_words(got.events[common]));
  bool fails = got.failure.has_value(), failed = expected.failure.has_value();
  // What GoogleTest said went to the terminal: all that is known here is the trap that it ends in.
  bool same_kind = fails && failed && (got.failure->kind == expected.failure->kind ||
                                       (expected.options.gtest && got.failure->kind == FailureKind::Crash));
  if (fails != failed || (fails && !same_kind))
    return fmt::format("diverged at event {}: expected {}, got {}", common + 1,
                       failed ? failure_message(*expected.failure) : "the end of the run", end);
  return "";
}

SessionOptions session_options(const Bug& bug, bool gdb) {
  SessionOptions options{};
  options.spurious_wakeups = bug.options.spurious_wakeups;
  options.outputs_visible = bug.options.outputs_visible;
  options.loop_seconds = bug.options.loop_seconds;
  options.passthrough = 1;
  options.break_on_failure = gdb;
  return options;
}

}  // namespace

int run_replay(const ReplayOptions& options) {
  Bug bug = read_bug_file(options.file);
  // Program, sources and what the program reads are named relative to where the check ran.
  if (!bug.program.directory.empty() && chdir(bug.program.directory.c_str()) != 0)
    throw Error(kExitUsage, fmt::format("the directory of the check, '{}', is gone", bug.program.directory));
  if (!bug.program.closure.empty()) setenv(kClosureVariable, bug.program.closure.c_str(), 1);
  const Program& program = bug.program.program;
  if (access(program.path.c_str(), F_OK) != 0 && !bug.program.sources.empty()) rebuild(bug.program);
  require_instrumented(program.path);

  SessionMemory session(session_options(bug, options.gdb));
  session.teach(bug.knowledge);
  WorkerOptions worker_options;
  worker_options.max_events = bug.options.max_events;
  worker_options.hang_seconds = bug.options.loop_seconds * 3 + 5;
  worker_options.passthrough = true;
  Worker worker(program, session, worker_options);
  if (options.gdb) {
    Request request{};
    request.flags = request_flag::kAllEvents;
    worker.add(request, bug.schedule);
    worker.post();
    exec_debugger(program, session, worker);
  }

  ProgramMap map = ProgramMap::parse(describe(program));
  RecordedRun run = run_schedule(worker, bug.schedule);
  Bug got = make_bug(bug.program, bug.options, bug.knowledge, map, run);
  if (std::string difference = divergence(bug, got); !difference.empty())
    throw Error(kExitInconclusive, difference + ": the program is not the one that was checked, or not deterministic");
  if (bug.options.gtest && got.failure) got.failure = bug.failure;
  if (!options.quiet) std::printf("%s\n", headline(got, Style(use_color(options.color, 1))).c_str());
  return got.failure ? kExitBug : kExitSafe;
}

}  // namespace plait
