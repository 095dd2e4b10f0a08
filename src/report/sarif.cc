#include "report/sarif.h"

#include <fmt/core.h>

#include <cctype>
#include <map>

#include "check/kinds.h"
#include "report/inputs.h"
#include "report/names.h"
#include "report/relevant.h"
#include "report/reordering.h"
#include "report/story.h"

namespace plait {
namespace {

constexpr const char* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

/// A relative or file: address; characters that addresses may not hold are escaped.
std::string address_of(const std::string& file) {
  std::string text = file.starts_with("/") ? "file://" : "";
  for (char c : file) {
    unsigned char u = static_cast<unsigned char>(c);
    bool plain = std::isalnum(u) || std::string_view("-._~/+").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", u);
  }
  return text;
}

Json location(const Place& place, const std::string& message) {
  Json json = Json::object();
  if (place.known()) {
    Json physical = {{"artifactLocation", {{"uri", address_of(place.file)}}}};
    if (place.line) {
      physical["region"]["startLine"] = place.line;
      if (place.column) physical["region"]["startColumn"] = place.column;
    }
    json["physicalLocation"] = physical;
    if (!place.function.empty())
      json["logicalLocations"] = Json::array({{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
  }
  if (!message.empty()) json["message"] = {{"text", message}};
  return json;
}

/// One flow per thread; the order in which things happened is in executionOrder.
Json thread_flows(const Bug& bug) {
  const Buffers buffers(bug);
  std::map<ThreadId, Json> flows;
  for (size_t i : relevant_events(bug, bug.events.size())) {
    const BugEvent& event = bug.events[i];
    Json step = {{"location", location(event.place, buffers.told(i))}, {"executionOrder", i + 1}};
    flows.try_emplace(thread_of(bug, event.raw), Json::array()).first->second.push_back(step);
  }
  for (const BugEvent& event : pending_events(bug)) {
    Json step = {
        {"location", location(event.place, event.told.empty() ? waiting_text(event.raw, event.where) : event.told)},
        {"executionOrder", bug.events.size()},
        {"importance", "essential"}};
    flows.try_emplace(event.raw.thread, Json::array()).first->second.push_back(step);
  }
  Json result = Json::array();
  for (auto& [thread, steps] : flows)
    result.push_back({{"id", thread_path(bug.visibility.identities, thread)},
                      {"message", {{"text", thread_name(bug, thread)}}},
                      {"locations", steps}});
  return result;
}

Json bug_result(const ReportedBug& reported) {
  const Bug& bug = reported.bug;
  const BugFailure& failure = *bug.failure;
  Json json = {{"ruleId", kind_name(failure.kind)}, {"level", "error"}};
  std::string message = failure_message(failure);
  const Buffers buffers(bug);
  if (std::string summary = reordering_summary(bug, buffers); !summary.empty()) message += "; " + summary;
  if (const auto& inputs = bug.visibility.inputs; !inputs.empty())
    message += "; with the inputs " + inputs_text(inputs);
  json["message"] = {{"text", message + " (replay: " + replay_hint(reported) + ")"}};
  json["locations"] = Json::array({location(failure.place, "")});
  if (Json flows = thread_flows(bug); !flows.empty())
    json["codeFlows"] = Json::array({{{"message", {{"text", "the schedule that fails"}}}, {"threadFlows", flows}}});
  if (failure.other.known()) {
    Json other = location(failure.other, "see also");
    other["id"] = 0;
    json["relatedLocations"] = Json::array({other});
  }
  if (!reported.file.empty()) json["properties"] = {{"schedule", reported.file}};
  if (!bug.visibility.inputs.empty()) json["properties"]["inputs"] = inputs_to_json(bug.visibility.inputs);
  for (const Reordering& r : reorderings(bug, buffers)) json["properties"]["reordering"].push_back(r.text);
  return json;
}

}  // namespace

Json result_to_sarif(const CheckResult& result, const std::string& version) {
  Json rules = Json::array(), results = Json::array();
  std::map<std::string, bool> known;
  for (const ReportedBug& reported : result.bugs) {
    FailureKind kind = reported.bug.failure->kind;
    if (known.emplace(kind_name(kind), true).second)
      rules.push_back({{"id", kind_name(kind)}, {"shortDescription", {{"text", kind_title(kind)}}}});
    results.push_back(bug_result(reported));
  }
  for (const ReportedNote& note : result.notes) {
    if (known.emplace(kind_name(note.kind), true).second)
      rules.push_back({{"id", kind_name(note.kind)}, {"shortDescription", {{"text", kind_title(note.kind)}}}});
    Json json = {{"ruleId", kind_name(note.kind)}, {"level", "note"}, {"message", {{"text", note.message}}}};
    if (note.place.known()) json["locations"] = Json::array({location(note.place, "")});
    results.push_back(json);
  }
  Json run = {{"tool", {{"driver", {{"name", "Plait"}, {"version", version}, {"rules", rules}}}}}};
  Json notes = Json::array();
  for (const std::string& limit : result.limits)
    notes.push_back({{"level", "warning"}, {"message", {{"text", limit}}}});
  Json invocation = {{"executionSuccessful", true}, {"exitCode", exit_code(result)}};
  if (!notes.empty()) invocation["toolExecutionNotifications"] = notes;
  run["invocations"] = Json::array({invocation});
  run["results"] = results;
  run["properties"] = {{"verdict", verdict_name(result.verdict)}, {"complete", result.complete},
                       {"executions", result.executions},         {"inputs", inputs_word(result)},
                       {"input_classes", result.input_classes},   {"checked", result.checked.names()}};
  return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
}

}  // namespace plait
