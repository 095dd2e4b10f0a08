#include "report/lost_wakeup.h"

#include <fmt/core.h>

#include <optional>

#include "report/sync_words.h"

namespace plait {
namespace {

bool is_signal(Op op) { return op == Op::Signal || op == Op::Broadcast || op == Op::FutexNotify; }

std::string_view word(Op op) {
  return op == Op::FutexNotify ? "notification" : op == Op::Broadcast ? "broadcast" : "signal";
}

struct Signals {
  std::optional<size_t> last, wait;  // the last signal on the object; where the thread began to wait
  ThreadSet woken = 0;               // by the last one
  size_t count = 0;
};

Signals find_signals(const Bug& bug, const Event& blocked) {
  Signals found;
  MachineReplay machine;
  for (size_t i = 0; i < bug.events.size(); ++i) {
    const Event& e = bug.events[i].raw;
    if (e.flags & event_flag::kPending) break;
    machine.step(e);
    if (e.location != blocked.location) continue;
    if (e.thread == blocked.thread && (e.op == Op::CondWait || e.op == Op::FutexWait)) found.wait = i;
    if (!is_signal(e.op)) continue;
    found.last = i;
    found.woken = machine.woken();
    ++found.count;
  }
  return found;
}

}  // namespace

std::string missed_signal(const Bug& bug, size_t pending) {
  const BugEvent& blocked = bug.events[pending];
  if (blocked.raw.op != Op::CondWake && blocked.raw.op != Op::FutexWake) return "";
  const std::string who = thread_name(bug, blocked.raw.thread);
  const Signals found = find_signals(bug, blocked.raw);
  // Before the first fork nothing is recorded.
  if (!found.wait) return "";
  if (!found.last) return fmt::format("no thread signals {} in this run", blocked.where);
  const BugEvent& last = bug.events[*found.last];
  const std::string signal =
      fmt::format("the last {} of {} came from {} at {} (step {})", word(last.raw.op), blocked.where,
                  thread_name(bug, last.raw.thread), short_place(last.place), *found.last + 1);
  if (*found.last < *found.wait) {
    std::string text = fmt::format("{}, before {} began to wait (step {})", signal, who, *found.wait + 1);
    return text + (found.woken ? fmt::format("; it woke {}", thread_list(bug, found.woken)) : ": nobody waited then");
  }
  if (found.woken & bit(blocked.raw.thread)) return "";
  return fmt::format("{}; {} waited then, but it woke {}", signal, who,
                     found.woken ? thread_list(bug, found.woken) : "nobody");
}

}  // namespace plait
