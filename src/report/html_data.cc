#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "check/kinds.h"
#include "machine/traits.h"
#include "report/blocked.h"
#include "report/explain.h"
#include "report/html.h"
#include "report/inputs.h"
#include "report/names.h"
#include "report/race.h"
#include "report/relations.h"
#include "report/relevant.h"
#include "report/reordering.h"
#include "report/story.h"
#include "report/story_rows.h"

namespace plait {
namespace {

constexpr size_t kLongestFile = 6000;  // lines; of longer files only what the events name is shown

std::string trimmed(const std::string& line) {
  size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
}

/// The source files that events name, each with its text if it is still what the program was compiled from.
class SourceFiles {
 public:
  explicit SourceFiles(const Bug& bug) : directory_(bug.program.directory) {
    for (const BugEvent& event : bug.events) note(event.place, event.source);
    if (bug.failure) note(bug.failure->place, bug.failure->source);
  }

  /// -1: unknown.
  int index(const Place& place) const {
    auto found = numbers_.find(place.file);
    return found == numbers_.end() ? -1 : found->second;
  }

  Json json() const {
    Json files = Json::array();
    for (const auto& [name, known] : files_) files.push_back(file_json(name, known));
    return files;
  }

 private:
  using Lines = std::map<u32, std::string>;

  void note(const Place& place, const std::string& source) {
    if (!place.known()) return;
    auto [at, fresh] = numbers_.emplace(place.file, static_cast<int>(files_.size()));
    if (fresh) files_.emplace_back(place.file, Lines{});
    if (place.line) files_[static_cast<size_t>(at->second)].second[place.line] = source;
  }

  Json file_json(const std::string& name, const Lines& known) const {
    std::vector<std::string> lines;
    if (!in_system_header(name)) {
      std::ifstream in(std::filesystem::path(directory_) / name);
      for (std::string line; lines.size() <= kLongestFile && std::getline(in, line);) lines.push_back(line);
    }
    bool whole = !lines.empty() && lines.size() <= kLongestFile;
    bool changed = false;
    for (const auto& [number, text] : known)
      if (whole && !text.empty() && (number > lines.size() || trimmed(lines[number - 1]) != text)) changed = true;
    Json shown = Json::array();
    if (whole && !changed) {
      for (size_t i = 0; i < lines.size(); ++i) shown.push_back({i + 1, lines[i]});
    } else {
      for (const auto& [number, text] : known) shown.push_back({number, text});
    }
    return {{"name", name}, {"lines", shown}, {"changed", changed}, {"partial", !whole || changed}};
  }

  std::string directory_;
  std::map<std::string, int> numbers_;
  std::vector<std::pair<std::string, Lines>> files_;
};

/// How an event is drawn.
std::string_view family(Op op) {
  switch (op) {
    case Op::Load: return "read";
    case Op::Store:
    case Op::Flush:
    case Op::Alloc:
    case Op::Free: return "write";
    case Op::Rmw:
    case Op::Cas:
    case Op::Fence: return "atomic";
    case Op::Fork:
    case Op::Begin:
    case Op::End:
    case Op::Join:
    case Op::Exit:
    case Op::Yield: return "thread";
    case Op::Output:
    case Op::Input:
    case Op::Assume:
    case Op::AtomicBegin:
    case Op::AtomicEnd:
    case Op::Initial:
    case Op::Extension:
    case Op::Label:
    case Op::None: return "other";
    default: return "lock";
  }
}

/// Object that the event takes (+) or gives back (-): who holds what follows from it.
void add_ownership(Json& json, const Event& e) {
  const machine::HoldChange change = machine::hold_change(e.op, e.value);
  if (change.kind == machine::HoldChange::None) return;
  if (e.op == Op::CondWake) {
    json["back"] = true;  // what its wait has given
    return;
  }
  json[change.kind == machine::HoldChange::Takes ? "take" : "give"] = change.of_second ? e.operand : e.location;
  if (change.of_second) json["lends"] = true;  // CondWake takes it again
}

/// What a store buffer has to do with it: "b" is what a store holds back, "u" the store that a flush takes to memory.
void add_buffer(Json& json, const Event& e, const Buffers& buffers, size_t index) {
  if (buffers.waits(index)) json["b"] = value_text(e.operand, e.size);
  if (!buffers.is_flush(index) || buffers.partner(index) == Buffers::kNone) return;
  json["u"] = buffers.partner(index);
  if (!buffers.told_as_write(index)) json["k"] = "flush";
}

/// Does it tell what memory holds? Not if it was given by the own buffer, or has not left it.
bool shows_memory(const Event& e, const Buffers& buffers, size_t index) {
  if (e.op == Op::Store || e.op == Op::Flush) return buffers.changes_memory(index);
  return buffers.forwarded(index).empty();
}

/// What memory holds after the event, as the event's own words call it.
std::string value_name(const BugEvent& event, u64 value) {
  const Event& e = event.raw;
  if (e.op != Op::Rmw && value == e.operand && !event.names.operand.empty()) return event.names.operand;
  if (e.op != Op::Store && e.op != Op::Flush && value == e.value && !event.names.value.empty())
    return event.names.value;
  return value_text(value, e.size);
}

Json event_json(const Bug& bug, const Buffers& buffers, size_t index, const SourceFiles& files, bool relevant) {
  const BugEvent& event = bug.events[index];
  const Event& e = event.raw;
  bool pending = e.flags & event_flag::kPending;
  Json json = {{"t", thread_of(bug, e)}, {"k", family(e.op)}, {"f", files.index(event.place)}, {"l", event.place.line}};
  json["x"] = buffers.told(index);
  if (!event.place.function.empty()) json["fn"] = event.place.function;
  if (!event.source.empty()) json["s"] = event.source;
  if (!event.where.empty()) {
    json["n"] = event.where;
    json["a"] = e.location;
  }
  if (auto value = value_after(e); value && shows_memory(e, buffers, index)) json["v"] = value_name(event, *value);
  add_buffer(json, e, buffers, index);
  if (e.order != Order::Plain) json["o"] = order_name(e.order);
  Json stack = Json::array();
  for (const Place& frame : places(bug, event.stack))
    if (frame.known() && !in_system_header(frame.file))
      stack.push_back(fmt::format("{} at {}", frame.function, short_place(frame)));
  if (!stack.empty()) json["st"] = stack;
  if (relevant || pending) json["r"] = 1;
  if (pending) json["p"] = 1;
  if (!pending) add_ownership(json, e);
  return json;
}

Json failure_json(const Bug& bug, const SourceFiles& files) {
  if (!bug.failure) return nullptr;
  const BugFailure& failure = *bug.failure;
  Json json = {{"kind", kind_name(failure.kind)}, {"title", kind_title(failure.kind)}};
  json["message"] = failure_message(failure);
  json["thread"] = failure.thread;
  json["f"] = files.index(failure.place);
  json["l"] = failure.place.line;
  json["function"] = failure.place.function;
  if (failure.other.known()) json["other"] = short_place(failure.other) + " in " + failure.other.function;
  Json blocked = Json::array();
  for (const BlockedThread& b : blocked_threads(bug)) {
    Json one = {{"t", b.thread}, {"text", blocked_text(b)}};
    if (b.core && b.awaits < kMaxThreads) {
      one["awaits"] = b.awaits;
      one["object"] = b.object.empty() ? "its end" : b.object;
    }
    blocked.push_back(one);
  }
  json["blocked"] = blocked;
  if (const std::optional<Race> race = race_of(bug)) json["race"] = {race->first.event, race->second.event};
  Json why = Json::array();
  for (const Explanation& line : explanation(bug)) why.push_back({{"d", line.depth}, {"x", line.text}});
  json["why"] = why;
  return json;
}

}  // namespace

Json html_data(const Bug& bug, const std::string& replay) {
  SourceFiles files(bug);
  const Buffers buffers(bug);
  std::vector<size_t> shown = relevant_events(bug, bug.events.size());
  std::set<size_t> relevant(shown.begin(), shown.end());
  ThreadSet present = 0;
  Json events = Json::array();
  // Extensions carry the high halves of wide values: numbers in the page are those of stories, so they stay as rows.
  for (size_t i = 0; i < bug.events.size(); ++i) {
    present |= bit(thread_of(bug, bug.events[i].raw));
    events.push_back(event_json(bug, buffers, i, files, relevant.count(i) != 0));
  }
  for (const auto& [first, call] : folded_calls(bug)) events[first]["c"] = {call.last, call.text};
  Json threads = Json::array();
  for (ThreadSet rest = bug.runtime ? present : present | 1; rest; rest &= rest - 1) {
    ThreadId t = lowest(rest);
    threads.push_back({{"id", t}, {"name", thread_name(bug, t)}, {"path", thread_path(bug.visibility.identities, t)}});
  }
  Json edges = Json::array();
  for (const Relation& r : relations(bug)) edges.push_back({r.from, r.to, relation_name(r.kind)});
  if (const std::optional<Race> race = race_of(bug))
    edges.push_back(
        {std::min(race->first.event, race->second.event), std::max(race->first.event, race->second.event), "race"});
  Json data = {{"headline", headline(bug, Style(false))}, {"replay", replay}};
  data["memory_model"] = model_name(bug.options.memory_model);
  data["summary"] = reordering_summary(bug, buffers);
  data["reordering"] = Json::array();
  for (const Reordering& r : reorderings(bug, buffers)) data["reordering"].push_back({{"at", r.at}, {"text", r.text}});
  data["program"] = bug.program.program.path;
  data["args"] = bug.program.program.arguments;
  data["inputs"] = bug.visibility.inputs.empty() ? "" : inputs_text(bug.visibility.inputs);
  data["failure"] = failure_json(bug, files);
  data["threads"] = threads;
  Json objects = Json::array();
  for (const NamedObject& object : bug.objects)
    if (!object.name.empty())
      objects.push_back({{"a", object.address}, {"s", object.size}, {"n", object.name}, {"x", object_text(object)}});
  data["objects"] = objects;
  Json holds = Json::array();
  for (const BugHold& hold : bug.holds)
    holds.push_back(
        {{"e", hold.event}, {"t", hold.thread}, {"a", hold.location}, {"n", hold.where}, {"take", hold.takes}});
  data["holds"] = holds;
  data["files"] = files.json();
  data["events"] = events;
  data["edges"] = edges;
  data["stdout"] = bug.output;
  return data;
}

}  // namespace plait
