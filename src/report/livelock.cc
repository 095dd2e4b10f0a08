#include "report/livelock.h"

#include <fmt/core.h>

#include <map>

#include "report/buffers.h"

namespace plait {
namespace {

constexpr size_t kLongest = 12;  // steps of a loop that is told

/// The smallest number of steps after which the thread is at the same places again, to the end; 0: none is seen.
size_t period(const Bug& bug, const std::vector<size_t>& events) {
  auto same = [&](size_t a, size_t b) {
    const BugEvent &x = bug.events[events[a]], &y = bug.events[events[b]];
    return x.raw.op == y.raw.op && x.place == y.place && x.raw.location == y.raw.location;
  };
  for (size_t length = 1; 2 * length <= events.size() && length <= kLongest; ++length) {
    bool repeats = true;
    for (size_t i = events.size() - length; i < events.size() && repeats; ++i) repeats = same(i, i - length);
    if (repeats) return length;
  }
  return 0;
}

}  // namespace

std::vector<std::string> loops(const Bug& bug) {
  std::vector<std::string> result;
  if (bug.runtime) return result;
  const Buffers buffers(bug);
  std::map<ThreadId, std::vector<size_t>> events;
  for (size_t i = 0; i < bug.events.size(); ++i) {
    const Event& e = bug.events[i].raw;
    if (!(e.flags & event_flag::kPending) && e.op != Op::Extension && !buffers.is_left_out(i))
      events[thread_of(bug, e)].push_back(i);
  }
  for (const auto& [thread, own] : events) {
    if (bug.events[own.back()].raw.op == Op::End) continue;
    const size_t length = period(bug, own);
    if (length == 0) continue;
    std::string text;
    for (size_t i = own.size() - length; i < own.size(); ++i)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", buffers.told(own[i]),
                          short_place(bug.events[own[i]].place));
    result.push_back(fmt::format("{} goes round: {}", thread_name(bug, thread), text));
  }
  return result;
}

}  // namespace plait
