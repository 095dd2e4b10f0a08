#include "engine/runtime_bug.h"

#include <algorithm>
#include <filesystem>

#include "check/kinds.h"
#include "exogenous/findings.h"

namespace plait {
namespace {

using exogenous::Catalogue;
using exogenous::Description;
using exogenous::EndStatus;
using exogenous::Execution;

/// Reports have a column for each; the last one is for all that are left.
ThreadId column_of(u32 actor) { return static_cast<ThreadId>(std::min(actor, kMaxThreads - 1)); }

BugEvent make_event(const Description& event, const Catalogue& catalogue, exogenous::Symbol value_name, u32 position,
                    u8 flags) {
  BugEvent result{};
  result.raw.thread = column_of(event.actor);
  result.raw.position = position;
  result.raw.site = kNoSite;
  result.raw.flags = flags;
  result.place = place_of(event.file, event.line);
  result.told = event.label;
  if (const exogenous::Symbol value = event.attribute(value_name); value != exogenous::kNoSymbol)
    result.told += " (value " + catalogue.symbols.text(value) + ")";
  result.id = catalogue.symbols.text(event.id);
  return result;
}

ThreadId actor_of(const std::string& name, const Bug& bug) {
  const std::vector<std::string>& actors = bug.runtime->actors;
  const auto found = std::find(actors.begin(), actors.end(), name);
  if (found != actors.end()) return static_cast<ThreadId>(found - actors.begin());
  return bug.events.empty() ? ThreadId{0} : bug.events.back().raw.thread;
}

void add_failure(Bug& bug, const Execution& run, const Catalogue& catalogue) {
  const exogenous::FailureKey key = failure_key(run, catalogue);
  BugFailure failure;
  failure.kind = run.status == EndStatus::Blocked ? FailureKind::Deadlock : kind_of(key.kind);
  failure.message = run.status == EndStatus::Blocked ? "deadlock: " + key.message : key.message;
  failure.place = place_of(key.file, key.line);
  failure.thread = actor_of(run.failure.actor, bug);
  if (failure.place.known()) failure.frames = {failure.place};
  bug.failure = std::move(failure);
}

}  // namespace

FailureKind kind_of(const std::string& name) {
  const std::optional<FailureKind> known = kind_from_name(name);
  return known && is_bug(*known) ? *known : FailureKind::Assertion;
}

Place place_of(const std::string& file, u32 line) {
  Place place;
  place.file = file;
  place.line = line;
  return place;
}

Bug make_runtime_bug(const Execution& run, const Catalogue& catalogue, const BugRuntime& runtime, u32 max_events) {
  Bug bug;
  bug.program.directory = std::filesystem::current_path().string();
  bug.program.program.path = runtime.command.at(0);
  bug.program.program.arguments.assign(runtime.command.begin() + 1, runtime.command.end());
  bug.options.max_events = max_events;
  bug.runtime = runtime;
  bug.runtime->actors.clear();
  for (u32 actor = 0; actor < std::min(catalogue.actors(), kMaxThreads); ++actor)
    bug.runtime->actors.push_back(
        actor + 1 == kMaxThreads && catalogue.actors() > kMaxThreads ? "others" : catalogue.actor_name(actor));
  const exogenous::Symbol value_name = catalogue.symbols.of("value");
  std::vector<u32> positions(kMaxThreads);
  const auto add = [&](u32 number, u8 flags) {
    const Description& event = catalogue[number];
    bug.events.push_back(make_event(event, catalogue, value_name, ++positions[column_of(event.actor)], flags));
  };
  for (const u32 event : run.events) add(event, event_flag::kPoint);
  if (run.failed()) add_failure(bug, run, catalogue);
  if (run.status == EndStatus::Blocked)
    for (const u32 event : run.pending) add(event, event_flag::kPending);
  bug.output = run.result.value_or("");
  read_sources(bug);
  return bug;
}

}  // namespace plait
