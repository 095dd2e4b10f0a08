#include "report/buffers.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/names.h"
#include "report/sync_words.h"

namespace plait {
namespace {

std::vector<Event> raw_events(const Bug& bug) {
  std::vector<Event> events;
  events.reserve(bug.events.size());
  for (const BugEvent& event : bug.events) events.push_back(event.raw);
  return events;
}

bool covers(const Event& store, u64 byte) { return byte - store.location < store.size; }

}  // namespace

ThreadId thread_of(const Bug& bug, const Event& event) { return bug.options.memory().owner(event.thread); }

std::string actor_name(const machine::MemoryRules& memory, ThreadId number) {
  return memory.is_buffer(number) ? thread_name(owner_of(number)) + "'s buffer" : thread_name(number);
}

Buffers::Buffers(const Bug& bug) : bug_(bug), stores_(raw_events(bug), bug.options.memory()), wakes_(wake_words(bug)) {
  if (bug.options.memory().buffers) find_forwarded();
}

bool Buffers::is_flush(size_t event) const { return raw(event).op == Op::Flush; }

size_t Buffers::when_written(size_t event) const {
  const size_t store = is_flush(event) ? partner(event) : event, flush = is_flush(event) ? event : partner(event);
  return stores_.fate(event) == Fate::AtOnce ? store : flush;
}

const std::vector<size_t>& Buffers::forwarded(size_t read) const {
  static const std::vector<size_t> none;
  auto found = forwarded_.find(read);
  return found == forwarded_.end() ? none : found->second;
}

bool Buffers::changes_memory(size_t event) const {
  if (is_flush(event)) return stores_.fate(event) != Fate::AtOnce;
  if (is_buffered(event)) return stores_.fate(event) == Fate::AtOnce;
  const Op op = raw(event).op;
  return op == Op::Store || op == Op::Rmw || op == Op::Cas;
}

void Buffers::find_forwarded() {
  std::map<ThreadId, std::vector<size_t>> buffer;
  for (size_t i = 0; i < bug_.events.size(); ++i) {
    const Event& e = raw(i);
    std::vector<size_t>& own = buffer[thread_of(bug_, e)];
    if (is_buffered(i)) own.push_back(i);
    if (e.op == Op::Flush) std::erase(own, partner(i));
    if (e.op != Op::Load || own.empty() || (e.flags & event_flag::kPending)) continue;
    std::vector<size_t> from(e.size, kNone);
    for (u64 b = 0; b < e.size; ++b) {
      auto newest = std::find_if(own.rbegin(), own.rend(), [&](size_t s) { return covers(raw(s), e.location + b); });
      if (newest != own.rend()) from[b] = *newest;
    }
    if (std::any_of(from.begin(), from.end(), [](size_t s) { return s != kNone; })) forwarded_[i] = std::move(from);
  }
}

std::string Buffers::store_text(size_t event) const {
  const BugEvent& store = bug_.events[event];
  if (stores_.fate(event) != Fate::AtOnce)
    return fmt::format("write {} = {} (in its buffer)", store.where, value_text(store.raw.operand, store.raw.size));
  // Nobody stepped until it was in memory: what it overwrote there is what counts.
  Event written = store.raw;
  if (partner(event) != kNone) written.value = raw(partner(event)).value;
  return event_text(written, store.where, store.names);
}

std::string Buffers::read_text(size_t event) const {
  const std::vector<size_t>& from = forwarded(event);
  std::string text = event_text(raw(event), bug_.events[event].where, bug_.events[event].names);
  // What others did not see late is as good as memory.
  const auto own = std::count_if(from.begin(), from.end(), [&](size_t s) { return s != kNone && waits(s); });
  if (own == 0) return text;
  return text + (static_cast<size_t>(own) == from.size() ? " (from its own buffer)" : " (partly from its own buffer)");
}

/// The access that the failure is about: it was not performed, so there is no value to tell.
bool Buffers::is_refused(size_t event) const {
  const Event& e = raw(event);
  if (!bug_.failure || !(e.flags & event_flag::kFailed) || !machine::is_access(e.op)) return false;
  const FailureKind kind = bug_.failure->kind;
  const bool memory = kind == FailureKind::UseAfterFree || kind == FailureKind::HeapOverflow ||
                      kind == FailureKind::OutOfBounds || kind == FailureKind::NullDereference;
  return memory && bug_.failure->address - e.location < std::max<u64>(1, e.size);
}

std::string Buffers::text(size_t event) const {
  const BugEvent& e = bug_.events[event];
  if (!e.told.empty()) return e.told;
  if (is_refused(event)) {
    if (e.raw.op != Op::Store) return fmt::format("{} {}", e.raw.op == Op::Load ? "read" : "change", e.where);
    const std::string& name = e.names.operand;
    return fmt::format("write {} = {}", e.where, name.empty() ? value_text(e.raw.operand, e.raw.size) : name);
  }
  if (e.raw.flags & event_flag::kPending) return waiting_text(e.raw, e.where);
  if (is_buffered(event)) return store_text(event);
  if (e.raw.op == Op::Load) return read_text(event);
  if (e.raw.op == Op::Flush && e.place.line)
    return fmt::format("{} (written at line {})", event_text(e.raw, e.where, e.names), e.place.line);
  return event_text(e.raw, e.where, e.names) + wakes_[event];
}

std::string Buffers::told(size_t event) const {
  if (!is_flush(event) || !told_as_write(event)) return text(event);
  Event written = raw(event);
  written.op = Op::Store;
  return event_text(written, bug_.events[event].where, bug_.events[event].names);
}

}  // namespace plait
