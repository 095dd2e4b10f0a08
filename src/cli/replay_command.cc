// plait replay: one recorded schedule, once more, in a fresh process, with the program's output shown. The trace must
// be the recorded one, event by event.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "cli/debugger.h"
#include "cli/explore_options.h"
#include "cli/options.h"
#include "cli/target.h"
#include "compile/harmless.h"
#include "host/describe.h"
#include "host/program.h"
#include "report/bug_json.h"
#include "report/divergence.h"
#include "report/story.h"

namespace plait {
namespace {

SessionOptions session_options(const Bug& bug, bool shown, bool gdb) {
  SessionOptions options{};
  options.spurious_wakeups = bug.options.spurious_wakeups;
  options.memory_model = bug.options.memory_model;
  options.outputs_visible = bug.options.outputs_visible;
  options.loop_seconds = bug.options.loop_seconds;
  options.run_megabytes = bug.options.run_megabytes;
  options.passthrough = shown;
  options.break_on_failure = gdb;
  options.exit_with_threads = bug.failure && bug.failure->kind == FailureKind::ExitWithThreads;
  // In front of another failure it was ignored, or it would have ended the run.
  options.ignore_uninitialised = bug.failure && bug.failure->kind != FailureKind::UninitialisedRead;
  return options;
}

WorkerOptions worker_options(const Bug& bug, bool shown) {
  WorkerOptions options;
  options.max_events = bug.options.max_events;
  options.hang_seconds = bug.options.loop_seconds * 3 + 5;
  options.passthrough = shown;
  return options;
}

/// A program that was compiled again may have its variables elsewhere: what it shares is learned anew, by running the
/// schedule a few times, unseen.
void learn_again(Bug& bug) {
  constexpr int kMostRuns = 8;
  SessionMemory session(session_options(bug, false, false));
  bug.visibility.shared.clear();
  session.teach(bug.visibility);
  Worker worker(bug.program.program, session, worker_options(bug, false));
  for (int i = 0; i < kMostRuns && run_schedule(worker, bug.schedule).reply.sharing_grew; ++i) continue;
  bug.visibility.shared = session.visibility().shared;
}

/// A bug file may come from anywhere: what it wants to be compiled, and written, must be what checks do.
void require_harmless(const BugProgram& target) {
  const auto refuse = [](const std::string& what) {
    throw Error(kExitUsage, fmt::format("the bug file wants {}: if you trust whoever made it, say --trust", what));
  };
  if (const std::string flag = first_risky_flag(target.cflags); !flag.empty())
    refuse(fmt::format("to compile with '{}'", flag));
  const std::filesystem::path program = std::filesystem::path(target.program.path).lexically_normal();
  const bool usual = program.parent_path().filename() == "build" &&
                     program.filename() == std::filesystem::path(target.sources[0]).stem();
  if (!usual || *program.begin() == "..") refuse(fmt::format("to write its program to '{}'", target.program.path));
  std::error_code error;
  if (!std::filesystem::exists(program, error)) return;
  try {
    require_instrumented(target.program.path);
  } catch (const Error&) {
    refuse(fmt::format("to overwrite '{}', which is no program of Plait's", target.program.path));
  }
}

/// Compiles sources that are newer than the program, or a program that is gone.
void refresh_program(const BugProgram& target, bool trusted) {
  if (target.sources.empty()) return;
  std::error_code error;
  auto built = std::filesystem::last_write_time(target.program.path, error);
  bool stale = static_cast<bool>(error);
  for (const std::string& source : target.sources) {
    auto written = std::filesystem::last_write_time(source, error);
    stale |= !error && written > built;
  }
  if (!stale) return;
  if (!trusted) require_harmless(target);
  rebuild(target);
}

int report_replay(const Bug& bug, const Bug& got, const ReplayOptions& options, const Style& style) {
  if (const std::string difference = divergence(bug, got, Likeness::Exact); !difference.empty())
    throw Error(kExitInconclusive, difference + ": the runtime does not repeat itself, or its program has changed");
  if (!options.quiet) std::printf("%s\n", headline(got, style).c_str());
  return got.failure ? kExitBug : kExitSafe;
}

/// The file names a command, and may come from anywhere.
void require_trust(const Bug& bug, const ReplayOptions& options) {
  std::string command;
  for (const std::string& word : bug.runtime->command) command += (command.empty() ? "" : " ") + shell_word(word);
  if (options.gdb || options.rr) throw Error(kExitUsage, "--gdb and --rr are for programs that Plait has compiled");
  if (!options.trust && !is_own_runtime(bug.runtime->command))
    throw Error(kExitUsage,
                fmt::format("the bug file wants to start '{}': if you trust whoever made it, say --trust", command));
}

}  // namespace

int run_replay(const ReplayOptions& options) {
  Bug bug = read_bug_file(options.file);
  const Style style(use_color(options.color, 1));
  const std::string bug_file = std::filesystem::absolute(options.file).string();
  // Program, sources and what the program reads are named relative to where the check ran.
  if (!bug.program.directory.empty() && chdir(bug.program.directory.c_str()) != 0)
    throw Error(kExitUsage, fmt::format("the directory of the check, '{}', is gone", bug.program.directory));
  if (bug.runtime) {
    require_trust(bug, options);
    return report_replay(bug, replay_with_runtime(bug), options, style);
  }
  if (!bug.program.closure.empty()) setenv(kClosureVariable, bug.program.closure.c_str(), 1);
  const Program& program = bug.program.program;
  refresh_program(bug.program, options.trust);
  require_instrumented(program.path);
  const bool other = !bug.program.identity.empty() && program_identity(program.path) != bug.program.identity;
  if (bug.program.identity.empty())
    fmt::print(stderr, "plait: the bug file does not say which program it was; this one is '{}'\n", program.path);
  if (other) {
    fmt::print(stderr, "plait: '{}' is not the program that was checked, it was compiled again\n", program.path);
    learn_again(bug);
  }

  if (options.gdb && options.rr) throw Error(kExitUsage, "--gdb or --rr, not both (rr replay has the debugger)");
  SessionMemory session(session_options(bug, true, options.gdb));
  session.teach(bug.visibility);
  Worker worker(program, session, worker_options(bug, true));
  if (options.gdb || options.rr) {
    Request request{};
    request.flags = kReplayFlags;
    Batch batch;
    batch.add(request, bug.schedule);
    worker.post(batch);
    if (!options.rr) exec_debugger(program, session, worker, bug_file);
    record_with_rr(program, session, worker);
    const Reply& reply = worker.channel().reply[0];
    const bool fails = reply.status == RunStatus::Failed;
    if (fails && bug.failure &&
        (reply.failure.kind != bug.failure->kind || reply.failure.thread != bug.failure->thread))
      throw Error(kExitInconclusive, fmt::format("the recorded run fails in another way: {}", reply.failure.message));
    if (!options.quiet) fmt::print("{}recorded: rr replay\n", fails ? headline(bug, style) + "\n" : "");
    if (fails) return kExitBug;
    return reply.status == RunStatus::Complete ? kExitSafe : kExitInconclusive;
  }

  ProgramMap map = ProgramMap::parse(describe(program));
  RecordedRun run = run_schedule(worker, bug.schedule);
  Bug got = make_bug(bug.program, bug.options, bug.visibility, map, run);
  Likeness likeness = other ? Likeness::Behaviour : Likeness::Exact;
  if (std::string difference = divergence(bug, got, likeness); !difference.empty())
    throw Error(kExitInconclusive,
                difference + (other ? ": the program has changed, or the bug is fixed (plait check tells)"
                                    : ": the program is not deterministic, or reads something that has changed"));
  if (bug.options.gtest && got.failure) got.failure = bug.failure;
  if (!options.quiet) std::printf("%s\n", headline(got, style).c_str());
  return got.failure ? kExitBug : kExitSafe;
}

}  // namespace plait
