#include "engine/check_engine.h"

#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/memory_use.h"
#include "check/audit.h"
#include "check/findings.h"
#include "check/kinds.h"
#include "check/minimise.h"
#include "check/robustness.h"
#include "engine/appearance.h"
#include "engine/cluster_exploration.h"
#include "engine/explorer_choice.h"
#include "engine/input_rounds.h"
#include "engine/monitor.h"
#include "engine/recording.h"
#include "engine/settings.h"
#include "host/describe.h"
#include "host/native_runner.h"
#include "host/program.h"
#include "report/blocked.h"
#include "report/files.h"
#include "report/inputs.h"
#include "report/marks.h"
#include "report/resume.h"

namespace plait {
namespace {

constexpr double kGigabyte = 1 << 30;
constexpr const char* kSurpriseFile = "surprise.json";  // of an audit

class CheckEngine {
 public:
  CheckEngine(const CheckOptions& options, const BugProgram& target)
      : options_(options),
        target_(target),
        explorer_(explorer_for(options, target.program)),
        session_(std::make_shared<SessionMemory>(session_options(options))),
        rounds_(*session_, options,
                follows_inputs(target.program.path) && options.compare.empty() &&
                    (!explorer_.follows_reads || takes_inputs(target.program.path))),
        runners_(target.program, session_, worker_options(options)),
        control_({options.timeout, options.max_executions}),
        findings_(control_, {options.keep_going, options.outcomes, options.checked()}) {}

  CheckResult run() {
    // Exact numbers are those of the program as it is written.
    const bool exact = options_.classes || options_.merge != "on";
    session_->session().counts_turns |= exact || !explorer_.settles_turns;
    if (!options_.resume.empty()) take_up(read_resume(options_.resume));
    const bool complete = explore_as_far_as_possible();
    // A run that was cut off may have been about to ask for it.
    if (!control_.cancel_flag()) require_named_inputs(*session_, options_.input_values);
    leave_for_later(complete);
    if (const Fallback& fallback = findings_.fallback(); !fallback.why.empty() && !options_.quiet)
      fmt::print(stderr, "plait: results cannot be predicted ({}); {} is run instead\n",
                 with_names(fallback.why, map()), fallback.instead());
    const bool tells = options_.verbose || options_.explore == "paths";  // else nobody has asked for them
    if (!findings_.values_followed().empty() && !options_.quiet && tells)
      fmt::print(stderr, "plait: paths cannot be followed ({}); values are followed instead\n",
                 with_names(findings_.values_followed(), map()));
    CheckResult result;
    result.program = target_.sources.empty() ? target_.program.path : target_.sources[0];
    result.explore = explorer_.name;
    result.memory_model = options_.memory_model;
    result.executions = control_.counters.executions;
    result.blocked_executions = control_.counters.blocked;
    report_counters(result, complete);
    result.events = control_.counters.events;
    result.cluster = cluster_;
    result.checked = options_.checked();
    rounds_.report(result, rounds_.active() ? &map() : nullptr, options_.verbose);
    if (!rounds_.obstacle().empty()) findings_.add_obstacle(rounds_.obstacle());
    report_bugs(result, complete);
    report_notes(result);
    report_opaque(result);
    result.inputs = input_names(session_->session().inputs);
    if (options_.outcomes) report_outcomes(result);
    if (options_.tests) report_tests(result);
    std::remove((options_.output_dir + "/" + kSurpriseFile).c_str());
    remove_stale_results(options_.output_dir, result.bugs.size(), result.outcomes.size(), result.tests.size());
    if (!options_.compare.empty() && control_.reason() != StopReason::Interrupted) result.comparison = compare();
    conclude(result, complete);
    if (options_.audit && result.verdict == Verdict::Safe) check_claims(result);
    return result;
  }

 private:
  void report_counters(CheckResult& result, bool complete) const {
    const Counters& c = control_.counters;
    if (explorer_.solves || explorer_.follows_reads)
      result.solver = solver_use(c, explorer_.solves ? options_.solver : "z3");
    if (explorer_.predicts) {
      result.histories = c.histories;
      result.states = c.states;
      result.merged = c.merged;
      result.alike = c.alike;
    }
    if (c.paths && (complete || explorer_.has_strategies)) result.paths = c.paths;
    if (options_.classes && complete) result.classes = c.classes;
    if (explorer_.counts_interleavings) result.interleavings = c.interleavings;
  }

  /// Goes on from where an earlier check of the same program ended.
  void take_up(Resume&& resume) {
    require_same_check(resume, options_, target_.identity);
    session_->teach(resume.visibility);
    begin_with_ = std::move(resume.schedules);
  }

  void leave_for_later(bool complete) {
    const StopReason reason = control_.reason();
    const bool early = broken_off_ || reason == StopReason::Timeout || reason == StopReason::MaxExecutions ||
                       reason == StopReason::Interrupted || reason == StopReason::Memory;
    remove_resume(options_.output_dir);
    if (complete || !early || !explorer_.resumes || taught_.empty()) return;
    try {
      write_resume(options_.output_dir,
                   {target_.program.path, target_.identity, session_->visibility(), std::move(taught_)});
    } catch (const Error& error) {
      recorder_.warn(error.what());
    }
  }

  /// What has been found is told, also when the exploration ends with an error.
  bool explore_as_far_as_possible() {
    try {
      const bool complete = explore();
      session_->require_no_leaks();  // workers look once more when they end
      return complete;
    } catch (const Error& error) {
      const bool found = !findings_.bugs().empty();
      const bool trusted = error.exit_code() != kExitInternal && control_.counters.executions > 0 && has_begun(error);
      if (!found && !trusted) throw;
      findings_.add_obstacle(fmt::format("error: {}", error.what()));
    } catch (const std::bad_alloc&) {
      findings_.add_obstacle("memory: the engine got none any more");
    }
    broken_off_ = true;
    return false;
  }

  std::string record(const std::string& name, const Bug& bug) { return recorder_.record(name, bug); }

  bool explore() {
    if (!options_.cluster.empty() && is_for_cluster())
      return explore_on_cluster({options_, target_.program, session_, control_, findings_, taught_,
                                 [this](Exploration& exploration) { prepare(exploration); }, cluster_});
    WorkerOptions exploring = worker_options(options_);
    exploring.go_on = options_.keep_going;  // threads that fail do not stop the others
    NativeRunners runners(target_.program, session_, exploring);
    Exploration exploration{runners, explore_options(options_, target_.program.path), control_, findings_};
    prepare(exploration);
    if (explorer_.follows_reads && rounds_.active()) {
      exploration.inputs = &rounds_;
      rounds_.set_listener([this](u32 round) { findings_.begin_round(round); });
    }
    Monitor monitor(control_, options_.quiet);
    learn_first(exploration, explorer_);
    return !control_.stopped() && explore_all_inputs(exploration);
  }

  void prepare(Exploration& exploration) {
    exploration.options.taught = &taught_;
    if (options_.timeout)
      exploration.options.end = std::chrono::steady_clock::now() +
                                std::chrono::microseconds(static_cast<i64>(*control_.seconds_left() * 1e6));
    if (!begin_with_.empty()) exploration.options.begin_with = &begin_with_;
    if (options_.audit)
      exploration.options.learned = [&](const Behaviour& behaviour, const auto&) { claims_.behaviour = behaviour; };
  }

  /// What inputs decide is kept beside the runs, on one machine.
  bool is_for_cluster() {
    if (!rounds_.active() && options_.input_values.empty()) return true;
    if (!options_.quiet)
      fmt::print(stderr, "plait: the program's inputs are explored: on this machine only (--inputs fixed: on all)\n");
    return false;
  }

  bool explore_all_inputs(Exploration& exploration) {
    bool complete = true;
    for (;;) {
      // Rounds come one after the other where paths cannot be followed.
      const ExplorerInfo& explorer = rounds_.gave_up() ? explorer_named("cumulative") : explorer_;
      complete &= plait::explore(*explorer.make(), exploration);
      if (!rounds_.another(control_)) break;
      exploration.options.begin_with = nullptr;
      findings_.begin_round(rounds_.round());
    }
    if (rounds_.round() > 0) taught_.clear();  // schedules of other inputs
    return complete && rounds_.obstacle().empty() && !control_.stopped();
  }

  ReportedComparison compare() {
    Limits limits{options_.timeout, options_.max_executions};
    if (limits.seconds) limits.seconds = std::max(0.01, *limits.seconds - control_.seconds());
    const MakeRunners make_runners =
        native_runners(target_.program, session_options(options_), worker_options(options_));
    const Comparison found =
        compare_with_sc(make_runners, session_->visibility(), explore_options(options_, target_.program.path), limits,
                        {true, options_.outcomes, options_.checked()});
    ReportedComparison shown{options_.memory_model,
                             options_.compare,
                             found.complete,
                             found.classes_compared,
                             found.obstacles,
                             found.classes,
                             found.histories,
                             found.outputs,
                             {},
                             {}};
    for (std::string& obstacle : shown.obstacles) obstacle = with_names(obstacle, map());
    for (const Failure& failure : found.failures)
      shown.failures.push_back({std::string(kind_name(failure.kind)), failure.message, map().place(failure.site)});
    for (const StrongerStore& store : found.remedy)
      shown.remedy.push_back(
          {map().place(store.site), store.order == Order::Release ? "release" : "seq_cst", store.removes});
    return shown;
  }

  /// Is the `safe` true, as far as random schedules can tell?
  void check_claims(CheckResult& result) {
    if (!findings_.fallback().why.empty()) claims_.behaviour.reset();
    claims_.checked = options_.checked();
    if (options_.outcomes) {
      claims_.outputs.emplace();
      for (const FoundOutcome& outcome : findings_.outcomes()) claims_.outputs->insert(outcome.output);
    }
    Monitor monitor(control_, true);
    const Audit found = audit(runners_, claims_, {options_.audit, options_.seed, options_.pct_depth, options_.rules()},
                              control_.cancel_flag());
    result.audit = {.runs = found.runs, .surprise = "", .place = {}, .file = ""};
    result.interrupted = control_.reason() == StopReason::Interrupted;
    result.seconds = control_.seconds();
    if (found.surprise) report_surprise(result, *found.surprise);
  }

  void report_surprise(CheckResult& result, const Surprise& surprise) {
    ReportedAudit& shown = *result.audit;
    shown.surprise = surprise.message;
    if (surprise.site != kNoSite) shown.place = map().place(surprise.site);
    shown.file = record(kSurpriseFile, resolve(replay_fresh(runners_, surprise.witness)));
    result.verdict = Verdict::Inconclusive;
    result.complete = false;
    result.limits.push_back(
        fmt::format("audit: an internal error of Plait, random schedule {} shows what should not be possible: {}{} "
                    "(plait replay {})",
                    shown.runs, shown.surprise,
                    shown.place.known() ? fmt::format(" (at {}:{})", shown.place.file, shown.place.line) : "",
                    shell_word(shown.file)));
  }

  const ProgramMap& map() {
    if (!map_) map_ = ProgramMap::parse(describe(target_.program));
    return *map_;
  }

  Bug resolve(const RecordedRun& run) {
    BugOptions options{options_.spurious_wakeups,
                       options_.outcomes,
                       options_.loop_seconds,
                       options_.max_events,
                       options_.gtest,
                       options_.model(),
                       run_megabytes(options_.run_memory)};
    Visibility visibility = replaying_.session->visibility();
    visibility.inputs = replaying_.session->taken_inputs();
    return make_bug(target_, options, visibility, map(), run);
  }

  /// What comes next is about this round. Schedules are made for what was visible then; when other inputs have shown
  /// more since, they need a session of their own.
  void go_to(u32 round) {
    const Visibility* then = rounds_.visibility(round);
    replaying_ = {session_, &runners_};
    if (!then) return rounds_.set(round);
    replaying_.session = std::make_shared<SessionMemory>(session_options(options_));
    replaying_.session->teach(*then);
    fix_named_inputs(replaying_.session->labels(), options_.input_values);
    replay_runners_.emplace(target_.program, replaying_.session, worker_options(options_));
    replaying_.runners = &*replay_runners_;
  }

  void report_bugs(CheckResult& result, bool complete) {
    std::set<std::string> seen;
    for (const FoundBug& found : findings_.bugs()) {
      if (control_.abandon_flag()) {
        no_time_for(found);
        continue;
      }
      go_to(found.witness.round);
      const std::optional<RecordedRun> again = confirmed_if_possible(found);
      if (!again) continue;
      const RecordedRun& run = *again;
      if (!same_failure(run, found) && !fails_otherwise(*replaying_.runners, found, run, options_.checked())) {
        // A run that discovered sharing has an incomplete trace; a complete search has met its failure again if it is
        // real.
        if (control_.abandon_flag())
          no_time_for(found);
        else if (!(found.witness.sharing_grew && complete))
          not_confirmed(found, run);
        continue;
      }
      Bug bug = resolve(run);
      if (!seen.insert(appearance(bug)).second) continue;
      const std::string file = record(fmt::format("bug-{}.json", result.bugs.size() + 1), bug);
      result.bugs.push_back({std::move(bug), file});
    }
  }

  /// Nothing if it cannot be run again (any more).
  std::optional<RecordedRun> confirmed_if_possible(const FoundBug& found) {
    try {
      return confirmed(found);
    } catch (const Error& error) {
      findings_.add_obstacle(fmt::format("error: a failure ({}: {}) was found, but could not be confirmed: {}",
                                         kind_name(found.failure.kind), failure_text(found.failure), error.what()));
      return std::nullopt;
    }
  }

  /// In a fresh process, with as few context switches as can be found in a little time.
  RecordedRun confirmed(const FoundBug& found) {
    constexpr u64 kMostPoints = 10'000'000;  // of runs that minimise, all bugs together
    bool wanted = options_.minimise && control_.reason() != StopReason::Interrupted && !found.witness.sharing_grew;
    if (wanted && minimising_points_ < kMostPoints && !control_.cancel_flag()) {
      Minimised shorter =
          minimise(*replaying_.runners->make(), found, {.memory = options_.rules(), .stop = &control_.cancel_flag()});
      minimising_points_ += shorter.points;
      RecordedRun run = replay_fresh(*replaying_.runners, shorter.witness, &control_.abandon_flag());
      if (same_failure(run, found)) return run;
    }
    return replay_fresh(*replaying_.runners, found.witness, &control_.abandon_flag());
  }

  /// What runs have shown that is no bug here: each place once.
  void report_notes(CheckResult& result) {
    std::set<std::string> seen;
    auto add = [&](FailureKind kind, const std::string& message, u32 site) {
      const Place place = site == kNoSite ? Place{} : map().place(site);
      if (seen.insert(fmt::format("{} {}:{}", kind_name(kind), place.file, place.line)).second)
        result.notes.push_back({kind, message, place});
    };
    std::vector<u32> library_calls;
    for (const Note& note : session_->notes()) {
      if (note.kind == FailureKind::Unsupported) {
        library_calls.push_back(note.site);
        continue;
      }
      const Place forked = note.other_site == kNoSite ? Place{} : map().place(note.other_site);
      add(note.kind,
          fmt::format("{} can end the program while {} still runs{}", thread_name(note.thread), thread_name(note.other),
                      forked.known() ? fmt::format(" (created at {}:{})", forked.file, forked.line) : ""),
          note.site);
    }
    if (!options_.trust_libraries) report_libraries(library_calls);
    for (const Failure& failure : findings_.ignored()) add(failure.kind, failure_text(failure), failure.site);
  }

  /// Code that nobody compiled with the wrapper ran besides other threads. It may touch what they share: no proof.
  void report_libraries(const std::vector<u32>& sites) {
    std::map<std::string, std::map<std::string, Place>> calls;  // by library
    for (u32 site : sites) {
      const std::optional<LibraryCall> call = map().library_call(site);
      if (call && (!call->is_system() || call->is_of_c_library()))
        calls[call->library].try_emplace(call->function, map().place(site));
    }
    for (const auto& [library, functions] : calls) {
      const auto& [function, place] = *functions.begin();
      findings_.add_obstacle(fmt::format(
          "library: {} was not compiled with the wrapper, so nobody sees which memory it uses: {}{}{}; {}say "
          "--trust-libraries if it keeps to what one thread owns",
          library.empty() ? "a static library or object file" : library, function,
          place.known() ? fmt::format(" (called at {}:{})", place.file, place.line) : "",
          functions.size() > 1 ? fmt::format(" and {} more", functions.size() - 1) : "",
          LibraryCall{function, library}.is_system() ? "" : "compile it with 'plait c++' or 'plait cc', or "));
    }
  }

  void no_time_for(const FoundBug& found) {
    findings_.add_obstacle(fmt::format("timeout: a failure ({}: {}) was found, but there was no time to confirm it",
                                       kind_name(found.failure.kind), failure_text(found.failure)));
  }

  void not_confirmed(const FoundBug& found, const RecordedRun& again) {
    const bool failed = again.reply.status == RunStatus::Failed || again.reply.status == RunStatus::Diverged;
    findings_.add_obstacle(
        fmt::format("divergence: a failure ({}: {}) did not happen again when its schedule was replayed in a fresh "
                    "process ({}): the program "
                    "depends on something that Plait does not control",
                    kind_name(found.failure.kind), failure_text(found.failure),
                    failed ? again.reply.failure.message : "the run did not fail"));
  }

  void report_outcomes(CheckResult& result) {
    result.collected_outcomes = true;
    std::vector<FoundOutcome> outcomes = findings_.outcomes();
    if (outcomes.empty()) return;
    for (const FoundOutcome& outcome : outcomes) {
      go_to(outcome.witness.round);
      RecordedRun run = run_schedule(*replaying_.runners->make(), merged(outcome.witness.schedule), Tail::First,
                                     &control_.abandon_flag());
      if (control_.abandon_flag()) {
        findings_.add_obstacle("timeout: not all outputs were recorded");
        break;
      }
      if (run.output != outcome.output) {
        findings_.add_obstacle("divergence: an output did not appear again when its schedule was replayed");
        continue;
      }
      result.outcomes.push_back(
          {outcome.output, record(fmt::format("outcome-{}.json", result.outcomes.size() + 1), resolve(run))});
    }
  }

  /// The default schedule under the inputs of each class. Where that fails the bug is a test already.
  void report_tests(CheckResult& result) {
    for (u32 round = 0; round <= rounds_.round() && !control_.abandon_flag(); ++round) {
      go_to(round);
      const RecordedRun run = run_schedule(*replaying_.runners->make(), {}, Tail::First, &control_.abandon_flag());
      if (run.reply.status != RunStatus::Complete) continue;
      const Bug bug = resolve(run);
      const std::string file = record(fmt::format("test-{}.json", result.tests.size() + 1), bug);
      result.tests.push_back({inputs_text(bug.visibility.inputs), file});
    }
  }

  void report_opaque(CheckResult& result) {
    if (const Fallback& fallback = findings_.fallback(); !fallback.why.empty())
      result.opaque.push_back({with_names(fallback.why, map()), Place{}, std::string(fallback.instead()) + " was run"});
    for (auto [site, why] : findings_.unmerged()) {
      const Place place = site == kNoSite ? Place{} : map().place(site);
      if (const auto call = site == kNoSite ? std::nullopt : map().library_call(site)) why += ": " + call->function;
      result.opaque.push_back({why, place, "states of a thread were not merged from there on"});
      if (options_.verbose)
        fmt::print(stderr, "plait: a thread's states are not merged any more: {}{}\n", why,
                   place.known() ? fmt::format(" (at {}:{})", place.file, place.line) : "");
    }
  }

  std::string obstacle_place(const std::string& obstacle) {
    u32 site = findings_.obstacle_site(obstacle);
    if (site == kNoSite) return "";
    Place place = map().place(site);
    return place.known() ? fmt::format(" (at {}:{})", place.file, place.line) : "";
  }

  void conclude(CheckResult& result, bool complete) {
    std::vector<std::string> obstacles;
    for (const std::string& obstacle : findings_.obstacles()) obstacles.push_back(obstacle + obstacle_place(obstacle));
    plait::conclude(result, control_, options_, explorer_.samples, complete, obstacles);
  }

  const CheckOptions& options_;
  const BugProgram& target_;
  const ExplorerInfo& explorer_;
  std::shared_ptr<SessionMemory> session_;
  InputRounds rounds_;
  NativeRunners runners_;  // for what comes after the exploration
  std::optional<NativeRunners> replay_runners_;
  struct Replaying {
    std::shared_ptr<SessionMemory> session;
    NativeRunners* runners;
  } replaying_{session_, &runners_};
  Control control_;
  Findings findings_;
  std::optional<ProgramMap> map_;
  u64 minimising_points_ = 0;
  bool broken_off_ = false;  // the exploration, by an error
  Recorder recorder_{options_.output_dir};
  Claims claims_;
  Schedules taught_, begin_with_;
  std::optional<ReportedCluster> cluster_;
};

}  // namespace

CheckResult run_check_engine(const CheckOptions& options, const BugProgram& target) {
  set_memory_limit(options.memory ? static_cast<u64>(*options.memory * kGigabyte) : half_of_memory());
  return CheckEngine(options, target).run();
}

}  // namespace plait
