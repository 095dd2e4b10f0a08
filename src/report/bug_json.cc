#include "report/bug_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "check/kinds.h"
#include "report/explain.h"
#include "report/inputs.h"
#include "report/names.h"
#include "report/race.h"
#include "report/reordering.h"
#include "report/story_rows.h"

namespace plait {
namespace {

constexpr const char* kFormat = "plait-bug";
constexpr int kVersion = 1;

std::string hex(u64 value) { return fmt::format("{:#x}", value); }
u64 from_hex(const Json& json) { return std::stoull(json.get<std::string>(), nullptr, 16); }

constexpr u32 kMostLoopSeconds = 3600, kMostEvents = 50'000'000;  // as the options
constexpr u64 kMostShared = u64{1} << 30;                         // bytes that are shared

/// A file may hold anything.
void require(bool fits, const char* what) {
  if (!fits) throw std::runtime_error(fmt::format("it is damaged: {}", what));
}

Json place_to_json(const Place& place) {
  Json json = {{"file", place.file}, {"line", place.line}, {"column", place.column}, {"function", place.function}};
  if (!place.text.empty()) json["text"] = place.text;
  return json;
}

Place place_from_json(const Json& json) {
  return Place{json.value("file", ""), json.value("line", 0u), json.value("column", 0u), json.value("function", ""),
               json.value("text", "")};
}

Json event_to_json(const Bug& bug, const Buffers& buffers, size_t index) {
  const BugEvent& event = bug.events[index];
  const Event& raw = event.raw;
  Json json = {{"thread", raw.thread}, {"position", raw.position}, {"op", op_name(raw.op)}};
  if (event.place.known()) {
    json["file"] = event.place.file;
    json["line"] = event.place.line;
    json["column"] = event.place.column;
    json["function"] = event.place.function;
    if (!event.place.text.empty()) json["text"] = event.place.text;
  }
  if (!event.source.empty()) json["source"] = event.source;
  if (!event.where.empty()) json["location"] = event.where;
  json["address"] = hex(raw.location);
  if (raw.size) json["size"] = raw.size;
  json["value"] = raw.value;
  json["operand"] = raw.operand;
  if (raw.extra) json["extra"] = raw.extra;
  if (raw.arg) json["arg"] = raw.arg;
  if (raw.detail) json["detail"] = raw.detail;
  if (raw.order != Order::Plain) json["order"] = static_cast<int>(raw.order);
  if (raw.flags & event_flag::kPoint) json["enabled"] = raw.enabled;
  json["flags"] = raw.flags;
  json["description"] = buffers.text(index);
  if (buffers.is_buffered(index)) json["buffered"] = true;
  if (raw.op == Op::Flush) {
    json["owner"] = owner_of(raw.thread);
    if (buffers.partner(index) != Buffers::kNone) json["flush"] = buffers.partner(index);
  }
  if (event.names != ValueNames{})
    json["names"] = {{"value", event.names.value}, {"operand", event.names.operand}, {"extra", event.names.extra}};
  if (!event.stack.empty()) json["stack"] = event.stack;
  if (event.internal) json["internal"] = true;
  if (!event.told.empty()) json["id"] = event.id;
  return json;
}

/// Sets of threads have a bit for each.
ThreadId thread_from_json(const Json& json) {
  const u64 number = json.at("thread");
  if (number >= kMaxThreads) throw std::runtime_error(fmt::format("there is no thread {}", number));
  return static_cast<ThreadId>(number);
}

BugEvent event_from_json(const Json& json) {
  BugEvent event{};
  Event& raw = event.raw;
  std::string op = json.at("op");
  auto known = op_from_name(op);
  if (!known) throw std::runtime_error("unknown operation '" + op + "'");
  raw.op = *known;
  raw.thread = thread_from_json(json);
  raw.position = json.at("position");
  raw.location = from_hex(json.at("address"));
  raw.size = json.value("size", u8{0});
  raw.value = json.at("value");
  raw.operand = json.at("operand");
  raw.extra = json.value("extra", u64{0});
  raw.arg = json.value("arg", u16{0});
  raw.detail = json.value("detail", u8{0});
  const unsigned order = json.value("order", 0u);
  require(order <= static_cast<unsigned>(Order::SeqCst), "the order of an access");
  raw.order = static_cast<Order>(order);
  raw.enabled = json.value("enabled", u64{0});
  raw.flags = json.value("flags", u8{0});
  raw.site = kNoSite;
  event.place = place_from_json(json);
  event.where = json.value("location", "");
  event.source = json.value("source", "");
  event.internal = json.value("internal", false);
  event.id = json.value("id", "");
  if (json.contains("names")) {
    const Json& names = json["names"];
    event.names = {names.value("value", ""), names.value("operand", ""), names.value("extra", "")};
  }
  event.stack = json.value("stack", std::vector<u32>{});
  if (json.contains("id")) event.told = json.value("description", "");
  return event;
}

Json failure_to_json(const BugFailure& failure) {
  Json frames = Json::array();
  for (const Place& place : failure.frames) frames.push_back(place_to_json(place));
  Json json = {{"kind", kind_name(failure.kind)}, {"message", failure.message}, {"thread", failure.thread}};
  json.update(place_to_json(failure.place));
  json["source"] = failure.source;
  json["frames"] = frames;
  if (failure.other.known()) json["other"] = place_to_json(failure.other);
  if (failure.address) {
    json["address"] = hex(failure.address);
    json["location"] = failure.where;
  }
  return json;
}

BugFailure failure_from_json(const Json& json) {
  BugFailure failure;
  std::string kind = json.at("kind");
  auto known = kind_from_name(kind);
  if (!known) throw std::runtime_error("unknown kind '" + kind + "'");
  failure.kind = *known;
  failure.message = json.at("message");
  failure.thread = thread_from_json(json);
  failure.place = place_from_json(json);
  failure.source = json.value("source", "");
  for (const Json& frame : json.at("frames")) failure.frames.push_back(place_from_json(frame));
  if (json.contains("other")) failure.other = place_from_json(json["other"]);
  if (json.contains("address")) failure.address = from_hex(json["address"]);
  failure.where = json.value("location", "");
  return failure;
}

constexpr std::string_view kClaims[] = {"none", "race", "race-with-earlier", "endless"};  // by Claim::Kind

Json claim_to_json(const Claim& claim) {
  Json json = {{"kind", kClaims[claim.kind]}, {"thread", claim.thread}};
  if (!claim.is_race()) return json;
  json["other"] = claim.other;
  json["later"] = claim.later;
  json["sites"] = {claim.site, claim.other_site};
  return json;
}

Claim claim_from_json(const Json& json) {
  const std::string kind = json.at("kind");
  const auto known = std::find(std::begin(kClaims), std::end(kClaims), kind);
  require(known != std::end(kClaims), "its claim");
  const auto sites = json.value("sites", std::array<u32, 2>{kNoSite, kNoSite});
  return {static_cast<Claim::Kind>(known - std::begin(kClaims)),
          thread_from_json(json),
          thread_from_json({{"thread", json.value("other", 0u)}}),
          json.value("later", u8{0}),
          sites[0],
          sites[1]};
}

/// Files of older versions have it in the arg of the last entry.
Claim take_old_claim(Schedule& schedule) {
  constexpr u16 kRaceWith = 0x8000, kEndless = 0x4000, kEarlier = 0x1000;
  if (schedule.choices.empty()) return {};
  const Choice last = schedule.choices.back();
  if (last.position != kNextPoint || !(last.arg & (kRaceWith | kEndless))) return {};
  schedule.choices.pop_back();
  if (last.arg & kEndless) return {Claim::Endless, last.thread, 0, 0};
  return {last.arg & kEarlier ? Claim::RaceWithEarlier : Claim::Race, last.thread,
          static_cast<ThreadId>(last.arg & 0xff), static_cast<u8>(last.arg >> 8 & 0xf)};
}

constexpr std::string_view kObjectKinds[] = {"variable", "block", "local"};

Json object_to_json(const NamedObject& object) {
  Json json = {{"name", object.name}, {"kind", kObjectKinds[object.kind]}, {"type", object.type}};
  json["address"] = hex(object.address);
  json["size"] = object.size;
  if (object.thread != kNoThread) json["thread"] = object.thread;
  json["place"] = place_to_json(object.made);
  if (!object.stack.empty()) json["stack"] = object.stack;
  if (object.freed)
    json["freed"] = {
        {"thread", object.free_thread}, {"place", place_to_json(object.ended)}, {"stack", object.free_stack}};
  return json;
}

NamedObject object_from_json(const Json& json) {
  NamedObject object;
  const std::string kind = json.value("kind", "");
  for (size_t i = 0; i < std::size(kObjectKinds); ++i)
    if (kind == kObjectKinds[i]) object.kind = static_cast<NamedObject::Kind>(i);
  object.name = json.value("name", "");
  object.type = json.value("type", "");
  object.address = from_hex(json.at("address"));
  object.size = json.value("size", u64{0});
  object.thread = json.value("thread", kNoThread);
  object.made = place_from_json(json.at("place"));
  object.stack = json.value("stack", std::vector<u32>{});
  object.freed = json.contains("freed");
  if (!object.freed) return object;
  const Json& freed = json["freed"];
  object.free_thread = freed.value("thread", kNoThread);
  object.ended = place_from_json(freed.at("place"));
  object.free_stack = freed.value("stack", std::vector<u32>{});
  return object;
}

Json threads_to_json(const std::vector<Identity>& identities) {
  Json threads = Json::array();
  for (size_t t = 0; t < identities.size(); ++t) {
    Json thread = {{"number", t}, {"path", thread_path(identities, static_cast<ThreadId>(t))}};
    thread["parent"] = t == 0 ? Json(nullptr) : Json(identities[t].parent);
    thread["fork_index"] = identities[t].fork_index;
    threads.push_back(thread);
  }
  return threads;
}

std::string_view row_name(StoryRow::Kind kind) {
  switch (kind) {
    case StoryRow::Step: return "step";
    case StoryRow::Note: return "note";
    case StoryRow::Fold: return "fold";
    case StoryRow::Reordered: return "reordering";
    case StoryRow::Race: return "race";
  }
  return "";
}

Json reordering_to_json(const Bug& bug, const Buffers& buffers) {
  Json list = Json::array();
  for (const Reordering& r : reorderings(bug, buffers)) list.push_back({{"text", r.text}, {"events", r.events}});
  return list;
}

/// What the text form tells, for readers that lay it out themselves.
Json story_to_json(const Bug& bug) {
  constexpr size_t kSteps = 40;
  Json rows = Json::array();
  for (const StoryRow& row : story_rows(bug, kSteps)) {
    Json json = {{"kind", row_name(row.kind)}};
    if (row.kind == StoryRow::Step || row.kind == StoryRow::Note) json["thread"] = thread_name(bug, row.thread);
    if (row.kind == StoryRow::Step) {
      json["step"] = row.event + 1;
      json["place"] = short_place(bug.events[row.event].place);
    }
    json["text"] = row.text;
    rows.push_back(json);
  }
  return rows;
}

/// What the names and stacks in the events stand for.
void add_names(Json& json, const Bug& bug) {
  Json frames = Json::array(), objects = Json::array();
  for (const Place& place : bug.frames) frames.push_back(place_to_json(place));
  for (const NamedObject& object : bug.objects) objects.push_back(object_to_json(object));
  json["frames"] = frames;
  json["objects"] = objects;
  Json holds = Json::array();
  for (const BugHold& hold : bug.holds)
    holds.push_back({{"before", hold.event},
                     {"thread", hold.thread},
                     {"address", hex(hold.location)},
                     {"takes", hold.takes},
                     {"shared", hold.shared},
                     {"location", hold.where},
                     {"place", place_to_json(hold.place)}});
  json["own_locks"] = holds;
}

}  // namespace

void require_family(const std::vector<Identity>& identities) {
  require(identities.size() <= kMaxThreads, "too many threads");
  for (size_t t = 1; t < identities.size(); ++t) require(identities[t].parent < t, "a thread without a parent");
}

void require_ranges(const std::vector<Visibility::Range>& ranges) {
  u64 bytes = 0;
  require(ranges.size() <= kMaxSharedRanges, "too many shared ranges");
  for (const Visibility::Range& range : ranges) {
    bytes += range.size;
    require(range.begin < u64{1} << 47, "an address");
  }
  require(bytes <= kMostShared, "the size of what is shared");
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json bug_to_json(const Bug& bug) {
  Json json = {{"format", kFormat}, {"version", kVersion}};
  json["directory"] = bug.program.directory;
  json["program"] = bug.program.program.path;
  if (!bug.program.identity.empty()) json["program_identity"] = bug.program.identity;
  json["args"] = bug.program.program.arguments;
  json["stdin"] = bug.program.program.input_path;
  if (bug.program.program.outside.any()) json["outside_inputs"] = outside_to_json(bug.program.program.outside);
  json["sources"] = bug.program.sources;
  json["cflags"] = bug.program.cflags;
  json["options"] = {{"memory_model", model_name(bug.options.memory_model)},
                     {"spurious_wakeups", bug.options.spurious_wakeups},
                     {"outputs_visible", bug.options.outputs_visible},
                     {"loop_seconds", bug.options.loop_seconds},
                     {"max_events", bug.options.max_events},
                     {"run_megabytes", bug.options.run_megabytes}};
  if (bug.options.gtest) json["options"]["gtest"] = true;
  if (!bug.program.closure.empty()) json["closure"] = bug.program.closure;
  json["threads"] = threads_to_json(bug.visibility.identities);
  if (bug.runtime)
    json["runtime"] = {
        {"command", bug.runtime->command}, {"actors", bug.runtime->actors}, {"timeout", bug.runtime->timeout}};
  Json shared = Json::array();
  for (const Visibility::Range& range : bug.visibility.shared) shared.push_back({hex(range.begin), range.size});
  json["shared"] = shared;
  json["clock_matters"] = bug.visibility.clock_matters;
  json["counts_turns"] = bug.visibility.counts_turns;
  if (!bug.visibility.inputs.empty()) json["inputs"] = inputs_to_json(bug.visibility.inputs);
  Json schedule = Json::array();
  for (const Choice& choice : bug.schedule.choices)
    schedule.push_back({{"thread", choice.thread}, {"position", choice.position}, {"arg", choice.arg}});
  json["schedule"] = schedule;
  if (bug.schedule.claim.kind != Claim::None) json["claim"] = claim_to_json(bug.schedule.claim);
  Json events = Json::array();
  const Buffers buffers(bug);
  for (size_t i = 0; i < bug.events.size(); ++i) events.push_back(event_to_json(bug, buffers, i));
  json["events"] = events;
  add_names(json, bug);
  json["failure"] = bug.failure ? failure_to_json(*bug.failure) : Json(nullptr);
  if (const std::optional<Race> race = race_of(bug))
    json["race"] = {{"variable", race->variable}, {"events", {race->first.event, race->second.event}}};
  Json why = Json::array();
  for (const Explanation& line : explanation(bug)) why.push_back({{"depth", line.depth}, {"text", line.text}});
  json["explanation"] = why;
  json["stdout"] = bug.output;
  json["exit_code"] = bug.exit_code;
  json["story"] = story_to_json(bug);
  if (bug.options.memory().buffers) json["reordering"] = reordering_to_json(bug, buffers);
  return json;
}

Bug bug_from_json(const Json& json, const std::string& file) {
  try {
    if (json.value("format", "") != kFormat) throw std::runtime_error("it is not a Plait bug file");
    if (int version = json.at("version"); version != kVersion)
      throw std::runtime_error(fmt::format("it has version {}, this command reads version {}", version, kVersion));
    Bug bug;
    bug.program.directory = json.value("directory", "");
    bug.program.program = {json.at("program"), json.at("args"), json.value("stdin", ""), nullptr, nullptr, {}};
    if (json.contains("outside_inputs")) bug.program.program.outside = outside_from_json(json["outside_inputs"]);
    bug.program.sources = json.at("sources");
    bug.program.cflags = json.at("cflags");
    const Json& options = json.at("options");
    bug.options = {options.at("spurious_wakeups"),       options.at("outputs_visible"),
                   options.at("loop_seconds"),           options.at("max_events"),
                   options.value("gtest", false),        model_of(options.value("memory_model", "sc")),
                   options.value("run_megabytes", 1024u)};
    require(bug.options.loop_seconds <= kMostLoopSeconds && bug.options.max_events <= kMostEvents, "its limits");
    bug.program.identity = json.value("program_identity", "");
    bug.program.closure = json.value("closure", "");
    for (const Json& thread : json.at("threads"))
      bug.visibility.identities.push_back(
          {thread.at("parent").is_null() ? kNoThread : thread["parent"].get<ThreadId>(), 0, thread.at("fork_index")});
    require_family(bug.visibility.identities);
    for (const Json& range : json.at("shared")) bug.visibility.shared.push_back({from_hex(range.at(0)), range.at(1)});
    require_ranges(bug.visibility.shared);
    bug.visibility.clock_matters = json.value("clock_matters", false);  // files of older versions have none
    bug.visibility.counts_turns = json.value("counts_turns", true);     // likewise
    if (json.contains("inputs")) bug.visibility.inputs = inputs_from_json(json["inputs"]);
    bug.visibility.memory_model = bug.options.memory_model;
    for (const Json& choice : json.at("schedule"))
      bug.schedule.choices.push_back({Choice::Run, thread_from_json(choice), choice.at("arg"), choice.at("position")});
    bug.schedule.claim = json.contains("claim") ? claim_from_json(json["claim"]) : take_old_claim(bug.schedule);
    for (const Json& event : json.at("events")) bug.events.push_back(event_from_json(event));
    for (const Json& frame : json.value("frames", Json::array())) bug.frames.push_back(place_from_json(frame));
    for (const Json& object : json.value("objects", Json::array())) bug.objects.push_back(object_from_json(object));
    for (const Json& hold : json.value("own_locks", Json::array()))
      bug.holds.push_back({hold.at("before"), thread_from_json(hold), from_hex(hold.at("address")), hold.at("takes"),
                           hold.at("shared"), hold.at("location"), place_from_json(hold.at("place"))});
    if (!json.at("failure").is_null()) bug.failure = failure_from_json(json["failure"]);
    bug.output = json.at("stdout");
    if (json.contains("runtime")) {
      const Json& runtime = json["runtime"];
      bug.runtime = {runtime.at("command"), runtime.at("actors"), runtime.at("timeout")};
      require(!bug.runtime->command.empty() && bug.runtime->timeout > 0, "its runtime");
    }
    bug.exit_code = json.at("exit_code");
    return bug;
  } catch (const std::exception& error) {
    throw Error(kExitUsage, fmt::format("cannot use '{}': {}", file, error.what()));
  }
}

Bug read_bug_file(const std::string& file) {
  const Json json = read_json_file(file);
  if (!json.is_object())
    throw Error(kExitUsage, fmt::format("cannot use '{}': the file is damaged or not a Plait bug file", file));
  return bug_from_json(json, file);
}

}  // namespace plait
