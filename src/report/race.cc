#include "report/race.h"

#include <fmt/core.h>

#include <algorithm>

#include "machine/traits.h"
#include "report/buffers.h"
#include "report/relations.h"
#include "report/sync_words.h"

namespace plait {
namespace {

bool overlap(const Event& a, const Event& b) {
  return a.location < b.location + b.size && b.location < a.location + a.size;
}

bool is_access(const Event& e) { return machine::is_access(e.op); }

/// What the actor is about to do: its pending operation; of a buffer, the last of its thread's stores from that line.
std::optional<size_t> about_to(const Bug& bug, ThreadId actor, const Place& place) {
  const machine::MemoryRules& memory = bug.options.memory();
  const ThreadId thread = memory.owner(actor);
  for (size_t i = bug.events.size(); i-- > 0;) {
    const Event& e = bug.events[i].raw;
    if (e.thread != thread || !is_access(e)) continue;
    if (!memory.is_buffer(actor)) {
      if (e.flags & event_flag::kPending) return i;
      continue;
    }
    if (e.op == Op::Store && bug.events[i].place == place) return i;
  }
  return std::nullopt;
}

/// The access of `other` that came before: `later` conflicting ones follow it.
std::optional<size_t> earlier(const Bug& bug, ThreadId other, const Event& mine, u32 later) {
  for (size_t i = bug.events.size(); i-- > 0;) {
    const Event& e = bug.events[i].raw;
    if (e.thread != other || !is_access(e) || (e.flags & event_flag::kPending) || !overlap(e, mine)) continue;
    const bool conflicts = machine::is_write(e.op) || machine::is_write(mine.op);
    const bool plain = e.order <= Order::Volatile || mine.order <= Order::Volatile;
    if (conflicts && plain && later-- == 0) return i;
  }
  return std::nullopt;
}

/// The library's own members have no names, and their values mean nothing to its users.
bool is_inside_library(const Bug& bug, const BugEvent& event) {
  const std::vector<Place> stack = places(bug, event.stack);
  return event.raw.order <= Order::Volatile && !stack.empty() && in_system_header(stack.front().file);
}

std::string access_text(const Bug& bug, size_t index, bool performed) {
  const BugEvent& event = bug.events[index];
  const Event& e = event.raw;
  if (is_inside_library(bug, event)) {
    const bool writes = machine::is_write(e.op);
    return fmt::format("{} {}", performed ? (writes ? "wrote" : "read") : (writes ? "writes" : "reads"), event.where);
  }
  auto number = [&](u64 value, const std::string& name) { return name.empty() ? value_text(value, e.size) : name; };
  if (e.op == Op::Load) {
    if (!performed) return "reads " + event.where;
    return fmt::format("read {} = {}", event.where, number(e.value, event.names.value));
  }
  if (e.op == Op::Store || e.op == Op::Flush)
    return fmt::format("{} {} = {}", performed ? "wrote" : "writes", event.where,
                       number(e.operand, event.names.operand));
  return fmt::format("{} {}", performed ? "updated" : "updates", event.where);
}

RaceAccess access(const Bug& bug, size_t index) {
  const Event& e = bug.events[index].raw;
  const bool performed = !(e.flags & event_flag::kPending);
  return {index, thread_of(bug, e), performed, machine::is_write(e.op), access_text(bug, index, performed)};
}

std::string lock_list(const std::vector<HeldLock>& locks) {
  std::string text;
  for (const HeldLock& lock : locks) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", lock.name);
    if (lock.shared) text += " for reading";
    if (lock.since.known()) text += fmt::format(" (since {})", short_place(lock.since));
  }
  return text;
}

std::string names_of(const std::vector<HeldLock>& locks) {
  std::string text;
  for (const HeldLock& lock : locks) text += (text.empty() ? "" : ", ") + lock.name;
  return text;
}

std::string lock_reason(const Bug& bug, const Race& race) {
  const std::vector<HeldLock> first = held_locks(bug, race.first.thread, race.first.event),
                              second = held_locks(bug, race.second.thread, race.second.event);
  const std::string a = thread_name(bug, race.first.thread), b = thread_name(bug, race.second.thread);
  for (const HeldLock& one : first)
    for (const HeldLock& other : second)
      if (one.location == other.location) return fmt::format("both hold {}, but only for reading", one.name);
  if (first.empty() && second.empty()) return "neither thread holds a lock";
  if (first.empty()) return fmt::format("only {} holds {}; {} holds no lock", b, names_of(second), a);
  if (second.empty()) return fmt::format("only {} holds {}; {} holds no lock", a, names_of(first), b);
  return fmt::format("the locks differ: {} holds {}, {} holds {}", a, names_of(first), b, names_of(second));
}

/// A value went from one thread to the other in between, but not in a way that orders what came before it.
std::vector<std::string> message_reasons(const Bug& bug, const Race& race) {
  std::vector<std::string> reasons;
  if (!race.first.performed) return reasons;
  for (const Relation& r : relations(bug)) {
    if (r.kind != RelationKind::ReadsFrom || r.from < race.first.event || r.to > race.second.event) continue;
    const BugEvent &writer = bug.events[r.from], &reader = bug.events[r.to];
    if (thread_of(bug, writer.raw) != race.first.thread || reader.raw.thread != race.second.thread) continue;
    if (writer.raw.order <= Order::Volatile || reader.raw.order <= Order::Volatile) continue;
    const Order out = writer.raw.order, in = reader.raw.order;
    const bool releases = out == Order::Release || out == Order::AcqRel || out == Order::SeqCst;
    const bool acquires = in == Order::Acquire || in == Order::AcqRel || in == Order::SeqCst;
    if (releases && acquires) continue;
    std::string text = fmt::format("{} read {} from {}, but ", thread_name(bug, race.second.thread), reader.where,
                                   thread_name(bug, race.first.thread));
    if (!releases)
      text += fmt::format("the write at {} is {}, not release", short_place(writer.place), order_name(out));
    if (!releases && !acquires) text += ", and ";
    if (!acquires) text += fmt::format("the read at {} is {}, not acquire", short_place(reader.place), order_name(in));
    reasons.push_back(text);
    break;
  }
  return reasons;
}

}  // namespace

const NamedObject* object_of(const Bug& bug, const BugEvent& event) {
  const NamedObject* best = nullptr;
  for (const NamedObject& object : bug.objects) {
    if (event.raw.location - object.address >= std::max<u64>(1, object.size)) continue;
    // Several locals may have lived there; the name tells which one is meant.
    if (!best || event.where.starts_with(object.name)) best = &object;
  }
  return best;
}

std::optional<Race> race_of(const Bug& bug) {
  if (!bug.failure || bug.failure->kind != FailureKind::Race || bug.runtime) return std::nullopt;
  const Claim& claim = bug.schedule.claim;
  if (claim.other >= kMaxThreads || claim.thread >= kMaxThreads) return std::nullopt;
  const std::optional<size_t> second = about_to(bug, claim.thread, bug.failure->place);
  if (!second) return std::nullopt;
  const Event& about = bug.events[*second].raw;
  const std::optional<size_t> first = claim.kind == Claim::RaceWithEarlier
                                          ? earlier(bug, claim.other, about, claim.later)
                                          : about_to(bug, claim.other, bug.failure->other);
  if (!first || *first == *second || !overlap(bug.events[*first].raw, about)) return std::nullopt;
  return Race{access(bug, *first), access(bug, *second), bug.events[*second].where};
}

std::string race_message(const Bug& bug, const Race& race) {
  const std::string a = thread_name(bug, race.first.thread), b = thread_name(bug, race.second.thread);
  const char* const does = race.second.write ? "writes" : "reads";
  if (race.first.performed)
    return fmt::format("data race: {} {} {}, which {} {} before, and nothing orders the two", b, does, race.variable, a,
                       race.first.write ? "wrote" : "read");
  return fmt::format("data race: {} {} {} while {} {} it", b, does, race.variable, a,
                     race.first.write ? "writes" : "reads");
}

std::vector<std::string> race_reasons(const Bug& bug, const Race& race) {
  std::vector<std::string> reasons = message_reasons(bug, race);
  reasons.insert(reasons.begin(), lock_reason(bug, race));
  return reasons;
}

std::string holding_text(const Bug& bug, const RaceAccess& access) {
  const std::vector<HeldLock> held = held_locks(bug, access.thread, access.event);
  return held.empty() ? ", holding no lock" : ", holding " + lock_list(held);
}

std::string way_text(const Bug& bug, const RaceAccess& access) {
  std::string text;
  std::optional<size_t> last;
  for (size_t i = 0; i < access.event; ++i) {
    const Event& e = bug.events[i].raw;
    if (e.op == Op::Fork && e.location == access.thread)
      text = fmt::format("started by {} at {}", thread_name(bug, e.thread), short_place(bug.events[i].place));
    const bool joins = e.op == Op::Join || (e.op == Op::Fork && access.thread == 0);
    if (e.thread == access.thread && !(e.flags & event_flag::kPending) && (machine::is_sync(e.op) || joins)) last = i;
  }
  // A lock that nobody else uses synchronises with nobody.
  if (last)
    text += fmt::format("{}last synchronised at {}: {}", text.empty() ? "" : ", ", short_place(bug.events[*last].place),
                        Buffers(bug).told(*last));
  return text;
}

}  // namespace plait
