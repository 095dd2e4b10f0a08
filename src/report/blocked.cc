#include "report/blocked.h"

#include <fmt/core.h>

#include "check/deadlock.h"
#include "machine/traits.h"
#include "report/names.h"

namespace plait {
namespace {

bool takes(const Event& event) {
  return event.op == Op::OnceEnter || machine::hold_change(event.op, event.value).kind == machine::HoldChange::Takes;
}

/// Where `holder` last took the object.
Place where_taken(const Bug& bug, ThreadId holder, u64 location) {
  for (size_t i = bug.events.size(); i-- > 0;) {
    const Event& event = bug.events[i].raw;
    if (event.thread == holder && event.location == location && !(event.flags & event_flag::kPending) && takes(event))
      return bug.events[i].place;
    // A woken waiter got its mutex with the wake-up; the wait names the mutex.
    if (event.thread == holder && event.op == Op::CondWait && event.operand == location) return bug.events[i].place;
  }
  return {};
}

}  // namespace

std::vector<BlockedThread> blocked_threads(const Bug& bug) {
  std::vector<BlockedThread> result;
  if (!bug.failure || bug.failure->kind != FailureKind::Deadlock) return result;
  if (bug.runtime) {
    for (const BugEvent& event : pending_events(bug))
      result.push_back({event.raw.thread,
                        "waits for: " + event.told,
                        event.place,
                        kNoThread,
                        {},
                        true,
                        thread_name(bug, event.raw.thread)});
    return result;
  }
  std::vector<Event> trace;
  for (const BugEvent& event : pending_events(bug)) trace.push_back(event.raw);
  ThreadSet core = 0;
  for (const Event& event : deadlock_core(trace)) core |= bit(event.thread);
  for (const BugEvent& event : pending_events(bug)) {
    if (!is_blocked(event.raw)) continue;
    BlockedThread blocked{event.raw.thread,
                          waiting_text(event.raw, event.where),
                          event.place,
                          kNoThread,
                          {},
                          (core & bit(event.raw.thread)) != 0};
    blocked.object = event.where;
    if (event.raw.value < kMaxThreads) blocked.awaits = static_cast<ThreadId>(event.raw.value);
    blocked.event = static_cast<size_t>(&event - bug.events.data());
    if (event.raw.value < kMaxThreads && event.raw.op != Op::Join) {
      blocked.holder = static_cast<ThreadId>(event.raw.value);
      blocked.taken = where_taken(bug, blocked.holder, event.raw.location);
    }
    result.push_back(std::move(blocked));
  }
  return result;
}

std::string blocked_text(const BlockedThread& b) {
  std::string text = fmt::format("{} {}", b.name.empty() ? thread_name(b.thread) : b.name, b.waits);
  if (b.place.known()) text += fmt::format(" at {}", short_place(b.place));
  if (b.holder == b.thread)
    text += ", which it holds itself";
  else if (b.holder != kNoThread)
    text += fmt::format(", held by {}", thread_name(b.holder));
  if (b.holder != kNoThread && b.taken.known()) text += fmt::format(" since {}", short_place(b.taken));
  return text;
}

}  // namespace plait
