#include "report/relevant.h"

#include <algorithm>
#include <set>

namespace plait {
namespace {

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
      return true;
    default:
      return false;
  }
}

/// What happens inside library headers with no line of the user's in sight, or while a std::thread is handed its
/// arguments, tells a reader little; locks and signals matter wherever they happen.
bool is_noise(const Bug& bug, const BugEvent& event) {
  switch (event.raw.op) {
    case Op::Extension:
    case Op::Initial:
    case Op::Begin:
    case Op::End:
      return true;
    case Op::Alloc:
    case Op::Free:
      if (!is_about_memory(bug)) return true;
      break;
    case Op::Load:
    case Op::Store:
      if (event.internal || in_system_header(event.place.file)) return true;
      break;
    default:
      break;
  }
  return event.raw.flags & event_flag::kPending;
}

}  // namespace

std::vector<size_t> relevant_events(const Bug& bug, size_t most) {
  ThreadSet concerned = 0;
  Touched touched;
  if (bug.failure && bug.failure->kind == FailureKind::Deadlock) {
    for (const BugEvent& event : pending_events(bug)) {
      concerned |= bit(event.raw.thread);
      touched.add(event.raw);
    }
  }
  if (!concerned && bug.failure) concerned = bit(bug.failure->thread % kMaxThreads);
  // Only what the concerned threads touched near the end: early on, everything may have been touched by everybody.
  size_t near = 0;
  for (size_t i = bug.events.size(); i-- > 0 && near < most;) {
    const Event& event = bug.events[i].raw;
    if (is_noise(bug, bug.events[i]) || !(concerned & bit(event.thread))) continue;
    if (!bug.events[i].where.empty()) touched.add(event);
    ++near;
  }
  std::vector<size_t> chosen;
  for (size_t i = bug.events.size(); i-- > 0 && chosen.size() < most;) {
    const Event& event = bug.events[i].raw;
    if (is_noise(bug, bug.events[i])) continue;
    bool about_thread = event.op == Op::Fork || event.op == Op::Join;
    bool own = (concerned & bit(event.thread)) && !about_thread;
    bool same_location = !bug.events[i].where.empty() && touched.overlaps(event);
    if (own || same_location || bug.events.size() <= most) chosen.push_back(i);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace plait
