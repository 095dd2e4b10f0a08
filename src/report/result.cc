#include "report/result.h"

#include <fmt/core.h>

#include "base/error.h"
#include "report/inputs.h"
#include "report/next.h"
#include "report/race.h"
#include "report/story.h"

namespace plait {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Safe: return "safe";
    case Verdict::Bug: return "bug";
    case Verdict::Inconclusive: return "inconclusive";
  }
  return "inconclusive";
}

namespace {

std::string counted(u64 n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

std::string verdict_line(const CheckResult& result, const Style& style) {
  std::string work = counted(result.executions, "execution", "executions");
  if (result.interleavings && result.complete)
    work += ", " + counted(*result.interleavings, "interleaving", "interleavings");
  work += fmt::format(", {:.2f} s", result.seconds);
  switch (result.verdict) {
    case Verdict::Safe:
      return style.green("safe") + (result.inputs.empty() ? "" : " for the given inputs") +
             (result.explored.empty() || !result.inputs.empty() ? ": no schedule breaks it ("
                                                                : ": no schedule and no input breaks it (") +
             work + ")\n";
    case Verdict::Bug: return style.red(counted(result.bugs.size(), "bug", "bugs")) + " (" + work + ")\n";
    case Verdict::Inconclusive:
      return style.yellow("inconclusive") + ": no bug found, but the search is not complete (" + work + ")\n";
  }
  return "";
}

std::string outcomes_text(const CheckResult& result) {
  std::string text = counted(result.outcomes.size(), "distinct output", "distinct outputs") + "\n";
  for (const ReportedOutcome& outcome : result.outcomes)
    text += fmt::format("  {}  ({})\n", Json(outcome.output).dump(-1, ' ', false, Json::error_handler_t::replace),
                        outcome.file.empty() ? "not recorded" : outcome.file);
  return text;
}

std::string explored_text(const CheckResult& result) {
  std::vector<std::string> names;
  for (const ReportedInput& input : result.explored) names.push_back(input.name);
  return fmt::format("{} explored in {}", printable(explored_names(names)),
                     counted(result.input_classes, "class", "classes"));
}

/// The lines under the verdict: what it rests on, and where to go from here.
std::string summary(const CheckResult& result, const ResultTextOptions& options) {
  std::string text = "  complete: " + printable(completeness(result)) + "\n";
  std::string work = counted(result.executions, "execution", "executions");
  if (result.blocked_executions) work += fmt::format(" ({} cut off)", result.blocked_executions);
  if (result.histories) work += ", " + counted(*result.histories, "history", "histories");
  if (result.states) work += ", " + counted(*result.states, "state", "states");
  if (result.classes) work += ", " + counted(*result.classes, "class", "classes");
  if (result.paths) work += ", " + counted(*result.paths, "path", "paths");
  work += ", " + counted(result.events, "event", "events");
  text += fmt::format("  explored: {}, {:.2f} s\n", work, result.seconds);
  if (const auto& c = result.cluster) {
    text += fmt::format("  cluster:  {} submitted, {} finished", counted(c->submitted, "task", "tasks"), c->finished);
    if (c->given_up) text += fmt::format(", {} given up", c->given_up);
    if (c->twice) text += fmt::format(", {} done twice", c->twice);
    if (c->again) text += fmt::format(", {} submitted again", c->again);
    text += "\n";
  }
  if (result.checked != KindSet::standard()) text += "  checked:  " + checked_text(result.checked) + "\n";
  if (!result.explored.empty()) text += fmt::format("  inputs:   {}\n", explored_text(result));
  std::string inputs;
  for (const std::string& input : result.inputs) inputs += (inputs.empty() ? "" : ", ") + input;
  if (!inputs.empty()) text += "  inputs:   fixed (" + inputs + ")\n";
  if (result.audit && result.audit->surprise.empty())
    text += fmt::format("  audited:  {}, no surprise\n",
                        counted(result.audit->runs, "random schedule", "random schedules"));
  const char* label = "  next:     ";
  for (const std::string& step : next_steps(result)) {
    text += label + printable(step) + "\n";
    label = "            ";
  }
  if (result.bugs.empty() || result.bugs[0].file.empty()) return text;
  std::string file = shell_word(result.bugs[0].file);
  if (result.bugs[0].bug.runtime) {
    text += fmt::format("  next:     {0} show {1} -f html -o bug.html\n", options.command, file);
    return text;
  }
  text += fmt::format("  next:     {0} replay {1} --gdb, {0} show {1} -f html -o bug.html\n", options.command, file);
  return text;
}

std::string note_text(const ReportedNote& note) {
  std::string text = fmt::format("note: {}", printable(note.message));
  if (note.place.known()) text += fmt::format(" (at {}:{})", note.place.file, note.place.line);
  return text + fmt::format(" [{}]\n", kind_name(note.kind));
}

Json notes_to_json(const std::vector<ReportedNote>& notes) {
  Json json = Json::array();
  for (const ReportedNote& note : notes)
    json.push_back({{"kind", kind_name(note.kind)},
                    {"message", note.message},
                    {"file", note.place.file},
                    {"line", note.place.line}});
  return json;
}

Json file_or_null(const std::string& file) { return file.empty() ? Json(nullptr) : Json(file); }

Json opaque_to_json(const std::vector<ReportedOpaque>& opaque) {
  Json json = Json::array();
  for (const ReportedOpaque& one : opaque)
    json.push_back({{"why", one.why},
                    {"file", one.place.file},
                    {"line", one.place.line},
                    {"function", one.place.function},
                    {"cost", one.cost}});
  return json;
}

constexpr size_t kStoryLines = 43;  // with what stands below it, a screen of 50

/// An earlier race on the same object: the fix may well be the same.
std::optional<size_t> same_object_before(const std::vector<ReportedBug>& bugs, size_t index) {
  auto object = [](const Bug& bug) -> u64 {
    const std::optional<Race> race = race_of(bug);
    const NamedObject* found = race ? object_of(bug, bug.events[race->second.event]) : nullptr;
    return found ? found->address : 0;
  };
  const u64 mine = object(bugs[index].bug);
  for (size_t i = 0; mine && i < index; ++i)
    if (object(bugs[i].bug) == mine) return i;
  return std::nullopt;
}

Json cluster_to_json(const ReportedCluster& tasks) {
  return {{"submitted", tasks.submitted},
          {"finished", tasks.finished},
          {"twice", tasks.twice},
          {"again", tasks.again},
          {"given_up", tasks.given_up}};
}

Json number_or_null(const std::optional<u64>& number) { return number ? Json(*number) : Json(nullptr); }

}  // namespace

const char* inputs_word(const CheckResult& result) {
  return !result.inputs.empty() ? "fixed" : result.explored.empty() ? "none" : "explored";
}

Json result_to_json(const CheckResult& result) {
  Json json = {{"verdict", verdict_name(result.verdict)},
               {"complete", result.complete},
               {"memory_model", result.memory_model},
               {"explore", result.explore},
               {"executions", result.executions},
               {"blocked_executions", result.blocked_executions},
               {"histories", number_or_null(result.histories)},
               {"merged", number_or_null(result.merged)},
               {"alike", number_or_null(result.alike)},
               {"classes", number_or_null(result.classes)},
               {"paths", number_or_null(result.paths)},
               {"states", number_or_null(result.states)},
               {"events", result.events},
               {"seconds", result.seconds}};
  const SolverUse& solver = result.solver;
  json["solver"] = {{"backend", solver.backend}, {"queries", solver.queries}, {"sat", solver.sat},
                    {"unsat", solver.unsat},     {"unknown", solver.unknown}, {"seconds", solver.seconds},
                    {"slowest", solver.slowest}, {"reads", solver.reads},     {"constraints", solver.constraints}};
  json["interleavings"] = number_or_null(result.interleavings);
  Json bugs = Json::array();
  for (const ReportedBug& reported : result.bugs) {
    const BugFailure& failure = *reported.bug.failure;
    Json bug = {{"kind", kind_name(failure.kind)},
                {"message", failure_message(failure)},
                {"file", failure.place.file},
                {"line", failure.place.line},
                {"schedule", file_or_null(reported.file)}};
    if (!reported.bug.visibility.inputs.empty()) bug["inputs"] = inputs_to_json(reported.bug.visibility.inputs);
    bugs.push_back(bug);
  }
  json["bugs"] = bugs;
  json["inputs"] = inputs_word(result);
  Json explored = Json::array();
  for (const ReportedInput& input : result.explored)
    explored.push_back({{"name", input.name}, {"type", input.type}, {"bits", input.bits}, {"values", input.values}});
  json["explored_inputs"] = explored;
  json["input_classes"] = result.input_classes;
  json["checked"] = result.checked.names();
  json["notes"] = notes_to_json(result.notes);
  json["opaque"] = opaque_to_json(result.opaque);
  Json outcomes = Json::array();
  for (const ReportedOutcome& outcome : result.outcomes)
    outcomes.push_back({{"stdout", outcome.output}, {"schedule", file_or_null(outcome.file)}});
  json["outcomes"] = outcomes;
  json["limits"] = result.limits;
  json["next"] = next_steps(result);
  if (result.audit) {
    json["audit"] = {{"runs", result.audit->runs}, {"surprise", nullptr}};
    if (!result.audit->surprise.empty())
      json["audit"]["surprise"] = {{"message", result.audit->surprise},
                                   {"file", result.audit->place.file},
                                   {"line", result.audit->place.line},
                                   {"schedule", result.audit->file}};
  }
  if (result.cluster) json["cluster"] = cluster_to_json(*result.cluster);
  if (result.comparison) json["comparison"] = comparison_to_json(*result.comparison);
  return json;
}

std::string replay_hint(const ReportedBug& reported, const std::string& command) {
  if (reported.file.empty()) return "not possible, its file could not be written";
  // It names a command, which is started only if the user says so; what comes with Plait is known.
  const bool trust = reported.bug.runtime && !reported.bug.runtime->own;
  return fmt::format("{} replay {}{}", command, shell_word(reported.file), trust ? " --trust" : "");
}

std::string result_text(const CheckResult& result, const ResultTextOptions& options) {
  std::string text;
  for (size_t i = 0; i < result.bugs.size(); ++i) {
    const ReportedBug& reported = result.bugs[i];
    text += fmt::format("bug {}: ", i + 1);
    const StoryOptions story_options{options.style, options.width, options.verbose ? size_t{200} : size_t{24},
                                     options.verbose ? size_t{0} : kStoryLines};
    const std::optional<size_t> like = options.verbose ? std::nullopt : same_object_before(result.bugs, i);
    if (options.quiet)
      text += headline(reported.bug, options.style) + "\n";
    else if (like)
      text += brief_story(reported.bug, story_options) + fmt::format("  the same object as in bug {}\n", *like + 1);
    else
      text += story(reported.bug, story_options);
    text += fmt::format("  replay: {}\n{}", replay_hint(reported, options.command), options.quiet ? "" : "\n");
  }
  if (result.collected_outcomes) text += outcomes_text(result);
  for (const std::string& limit : result.limits) text += "limit: " + printable(limit) + "\n";
  for (const ReportedNote& note : result.notes) text += note_text(note);
  if (result.comparison) text += comparison_text(*result.comparison, options.style);
  text += verdict_line(result, options.style);
  return options.quiet ? text : text + summary(result, options);
}

std::string completeness(const CheckResult& result) {
  if (result.complete) return "yes";
  if (result.limits.empty())
    return result.bugs.empty() ? "no" : "no (stopped at the first bug; --keep-going looks for more)";
  std::string why;
  for (const std::string& limit : result.limits) {
    // The first words name the limit; the whole sentences stand above.
    std::string name = limit.substr(0, limit.find(": "));
    if (why.find(name) == std::string::npos) why += (why.empty() ? "" : ", ") + name;
  }
  return "no (" + why + ")";
}

int exit_code(const CheckResult& result) {
  if (result.audit && !result.audit->surprise.empty()) return kExitInternal;
  if (result.interrupted) return kExitInterrupted;
  switch (result.verdict) {
    case Verdict::Safe: return kExitSafe;
    case Verdict::Bug: return kExitBug;
    case Verdict::Inconclusive: return kExitInconclusive;
  }
  return kExitInternal;
}

}  // namespace plait
