#include "report/relevant.h"

#include <algorithm>
#include <set>

#include "check/deadlock.h"
#include "machine/traits.h"
#include "report/race.h"
#include "report/reordering.h"

namespace plait {
namespace {

constexpr size_t kLoopSteps = 6;  // of a livelock: the loops are told below

struct Bytes {
  u64 begin, end;
};

Bytes bytes_of(const Event& event) { return {event.location, event.location + std::max<u64>(1, event.size)}; }

class Touched {
 public:
  void add(const Event& event) { ranges_.push_back(bytes_of(event)); }
  bool overlaps(const Event& event) const {
    Bytes b = bytes_of(event);
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const Bytes& r) { return b.begin < r.end && r.begin < b.end; });
  }

 private:
  std::vector<Bytes> ranges_;
};

bool is_about_memory(const Bug& bug) {
  if (!bug.failure) return false;
  switch (bug.failure->kind) {
    case FailureKind::UseAfterFree:
    case FailureKind::DoubleFree:
    case FailureKind::InvalidFree:
    case FailureKind::HeapOverflow:
    case FailureKind::OutOfBounds:
    case FailureKind::UninitialisedRead: return true;
    default: return false;
  }
}

/// What happens inside library headers with no line of the user's in sight, or while a std::thread is handed its
/// arguments, tells a reader little; locks and signals matter wherever they happen.
bool is_noise(const Bug& bug, const BugEvent& event) {
  switch (event.raw.op) {
    case Op::Extension:
    case Op::Label:
    case Op::Initial:
    case Op::Begin:
    case Op::End: return true;
    case Op::Alloc:
    case Op::Free:
      if (!is_about_memory(bug) || event.internal) return true;
      break;
    case Op::Load:
      // How a lambda finds what it has captured by reference.
      if (!event.where.empty() && event.names.value == "&" + event.where) return true;
      [[fallthrough]];
    case Op::Store:
    case Op::Flush:
      if (event.internal || in_system_header(event.place.file)) return true;
      break;
    default: break;
  }
  return event.raw.flags & event_flag::kPending;
}

/// What the memory model did belongs to the story, whatever the failing thread touched: the last of it.
std::vector<Reordering> told_reorderings(const Bug& bug, const Buffers& buffers, size_t most) {
  std::vector<Reordering> all = reorderings(bug, buffers);
  all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(std::min(all.size(), most / 4 + 1)));
  return all;
}

/// With what a thread did while its store waited. A store and its flush are told together.
std::vector<size_t> with_reorderings(const Bug& bug, const Buffers& buffers, const std::vector<Reordering>& told,
                                     const std::vector<size_t>& chosen, size_t most) {
  std::set<size_t> all(chosen.begin(), chosen.end());
  for (const Reordering& r : told) {
    all.insert(r.events.begin(), r.events.end());
    const ThreadId thread = bug.events[r.events.front()].raw.thread;
    for (size_t i = r.events.front(), n = 0; i < r.at && n < most / 2; ++i) {
      const BugEvent& event = bug.events[i];
      if (is_noise(bug, event) || buffers.is_left_out(i) || thread_of(bug, event.raw) != thread) continue;
      all.insert(i);
      ++n;
    }
  }
  for (size_t i : std::vector<size_t>(all.begin(), all.end()))
    if (buffers.partner(i) != Buffers::kNone) all.insert(buffers.partner(i));
  std::erase_if(all, [&](size_t i) { return buffers.is_left_out(i); });
  return {all.begin(), all.end()};
}

/// Without these a deadlock cannot be understood, however long ago they were: what each blocked thread did last, where
/// what it waits for was taken, and the last signals.
std::set<size_t> needed_events(const Bug& bug, ThreadSet concerned) {
  std::set<size_t> needed;
  if (!bug.failure || bug.failure->kind != FailureKind::Deadlock) return needed;
  std::set<u64> wanted;
  for (const BugEvent& event : pending_events(bug))
    if (is_blocked(event.raw) && event.raw.op != Op::Join) wanted.insert(event.raw.location);
  std::set<u64> taken, signalled;
  ThreadSet seen = 0;
  for (size_t i = bug.events.size(); i-- > 0;) {
    const Event& e = bug.events[i].raw;
    if (is_noise(bug, bug.events[i]) || e.op == Op::Fork || e.op == Op::Join) continue;
    const bool last = (concerned & bit(e.thread)) && !(seen & bit(e.thread)) && machine::is_sync(e.op);
    if (last) seen |= bit(e.thread);
    const bool takes = machine::hold_change(e.op, e.value).kind == machine::HoldChange::Takes;
    const bool signals = e.op == Op::Signal || e.op == Op::Broadcast || e.op == Op::FutexNotify;
    const bool first = wanted.count(e.location) &&
                       ((takes && taken.insert(e.location).second) || (signals && signalled.insert(e.location).second));
    if (last || first) needed.insert(i);
  }
  return needed;
}

/// Of a run whose events have no operations that could tell more.
std::vector<size_t> last_events(const Bug& bug, size_t most) {
  std::vector<size_t> all;
  for (size_t i = 0; i < bug.events.size(); ++i)
    if (!(bug.events[i].raw.flags & event_flag::kPending)) all.push_back(i);
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
  return all;
}

/// How the two threads of a race got there: their starts, what they did to synchronise, and to the bytes in question.
std::vector<size_t> race_events(const Bug& bug, const Race& race, size_t most) {
  const ThreadSet both = bit(race.first.thread) | bit(race.second.thread);
  const Buffers buffers(bug);
  Touched touched;
  touched.add(bug.events[race.first.event].raw);
  touched.add(bug.events[race.second.event].raw);
  std::vector<size_t> chosen;
  for (size_t i = bug.events.size(); i-- > 0 && chosen.size() < most;) {
    const BugEvent& event = bug.events[i];
    const Event& e = event.raw;
    if (is_noise(bug, event) || buffers.is_left_out(i)) continue;
    const bool starts = (e.op == Op::Fork || e.op == Op::Join) && e.location < kMaxThreads &&
                        (both & bit(static_cast<ThreadId>(e.location)));
    const bool own = both & bit(thread_of(bug, e));
    const bool synchronises = machine::is_sync(e.op) || e.order > Order::Volatile;
    const bool same = machine::is_access(e.op) && touched.overlaps(e);
    if (starts || same || (own && synchronises)) chosen.push_back(i);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::vector<size_t> relevant_events(const Bug& bug, size_t most) {
  if (bug.runtime) return last_events(bug, most);
  const Buffers buffers(bug);
  auto is_left_out = [&](size_t i) { return is_noise(bug, bug.events[i]) || buffers.is_left_out(i); };
  ThreadSet concerned = 0;
  Touched touched;
  if (bug.failure && bug.failure->kind == FailureKind::Deadlock) {
    for (const BugEvent& event : pending_events(bug)) {
      concerned |= bit(event.raw.thread);
      touched.add(event.raw);
    }
  }
  if (bug.failure && bug.failure->kind == FailureKind::Livelock)
    for (const BugEvent& event : pending_events(bug)) concerned |= bit(event.raw.thread);
  if (const std::optional<Race> race = race_of(bug)) return race_events(bug, *race, most);
  if (!concerned && bug.failure) concerned = bit(bug.failure->thread % kMaxThreads);
  const std::vector<Reordering> told = told_reorderings(bug, buffers, most);
  for (const Reordering& r : told) touched.add(bug.events[r.events.front()].raw);
  // Only what the concerned threads touched near the end: early on, everything may have been touched by everybody.
  size_t near = 0;
  for (size_t i = bug.events.size(); i-- > 0 && near < most;) {
    const Event& event = bug.events[i].raw;
    if (is_left_out(i) || !(concerned & bit(thread_of(bug, event)))) continue;
    if (!bug.events[i].where.empty()) touched.add(event);
    ++near;
  }
  if (bug.failure && bug.failure->kind == FailureKind::Livelock) most = std::min(most, kLoopSteps);
  const std::set<size_t> needed = needed_events(bug, concerned);
  std::vector<size_t> chosen;
  size_t room = most - std::min(most, needed.size());
  for (size_t i = bug.events.size(); i-- > 0;) {
    const Event& event = bug.events[i].raw;
    if (needed.count(i)) {
      chosen.push_back(i);
      continue;
    }
    if (is_left_out(i) || room == 0) continue;
    bool about_thread = event.op == Op::Fork || event.op == Op::Join;
    bool own = (concerned & bit(thread_of(bug, event))) && !about_thread;
    bool same_location = !bug.events[i].where.empty() && touched.overlaps(event);
    if (own || same_location || bug.events.size() <= most) {
      chosen.push_back(i);
      --room;
    }
  }
  std::reverse(chosen.begin(), chosen.end());
  return with_reorderings(bug, buffers, told, chosen, most);
}

}  // namespace plait
