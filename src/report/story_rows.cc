#include "report/story_rows.h"

#include <fmt/core.h>

#include <map>
#include <optional>

#include "report/elements.h"
#include "report/names.h"
#include "report/race.h"
#include "report/relevant.h"
#include "report/reordering.h"

namespace plait {
namespace {

/// Who holds which mutex, as the events say.
class Owners {
 public:
  void see(const Event& e) {
    if (e.op == Op::CondWait) mutex_of_wait_[e.thread] = e.operand;
    const machine::HoldChange change = machine::hold_change(e.op, e.value);
    if (change.kind == machine::HoldChange::None || change.shares) return;
    const u64 lock = change.of_second ? mutex_of_wait_[e.thread] : e.location;
    if (change.kind == machine::HoldChange::Takes)
      owner_[lock] = e.thread;
    else
      owner_.erase(lock);
  }

  std::optional<ThreadId> of(const Event& waiting) const {
    u64 object = waiting.location;
    if (waiting.op == Op::CondWake) {
      auto mutex = mutex_of_wait_.find(waiting.thread);
      if (mutex == mutex_of_wait_.end()) return std::nullopt;
      object = mutex->second;
    }
    auto found = owner_.find(object);
    return found == owner_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<u64, ThreadId> owner_;
  std::map<ThreadId, u64> mutex_of_wait_;
};

/// A step of a thread, as people see it. A store that leaves its buffer later does not interrupt anybody.
bool is_step(const Bug& bug, const Buffers& buffers, size_t i) {
  return (bug.events[i].raw.flags & event_flag::kPoint) && (!buffers.is_flush(i) || buffers.told_as_write(i));
}

/// Does the thread wait for nothing but its buffer? Its operation could be performed if no store of its own were left
/// there.
bool waits_for_buffer(const Buffers& buffers, const Bug& bug, size_t since, size_t blocked) {
  const Event& e = bug.events[blocked].raw;
  if (!bug.options.memory().drains(e.op, e.order)) return false;
  for (size_t i = since; i < blocked; ++i)
    if (buffers.is_flush(i) && thread_of(bug, bug.events[i].raw) == e.thread) return true;
  return false;
}

/// For each scheduling point after which another thread steps: what keeps its own thread, in words; keyed by the point
/// that follows.
std::map<size_t, std::pair<ThreadId, std::string>> switch_reasons(const Bug& bug, const Buffers& buffers) {
  std::map<size_t, std::pair<ThreadId, std::string>> reasons;
  if (bug.runtime) return reasons;  // only our own tells who could have stepped
  Owners owners;
  std::optional<ThreadId> last;
  for (size_t i = 0; i < bug.events.size(); ++i) {
    const Event& e = bug.events[i].raw;
    const ThreadId thread = thread_of(bug, e);
    const bool step = is_step(bug, buffers, i);
    if (step && last && *last != thread) {
      size_t next = i;
      while (next < bug.events.size() && bug.events[next].raw.thread != *last) ++next;
      bool goes_on = next < bug.events.size() && bug.events[next].raw.op != Op::End;
      if (goes_on && (e.enabled & bit(*last))) {
        reasons[i] = {*last, "is interrupted here"};
      } else if (goes_on) {
        const BugEvent& blocked = bug.events[next];
        std::string text = waits_for_buffer(buffers, bug, i, next) ? "waits until its stores are in memory"
                                                                   : waiting_text(blocked.raw, blocked.where);
        if (auto holder = owners.of(blocked.raw); holder && *holder != *last)
          text += fmt::format(", held by {}", thread_name(*holder));
        reasons[i] = {*last, text};
      }
    }
    if (step) last = thread;
    if (!(e.flags & event_flag::kPending)) owners.see(e);
  }
  return reasons;
}

bool counts(const Buffers& buffers, const BugEvent& event, size_t index) {
  const Event& e = event.raw;
  if (buffers.is_left_out(index) || event.internal) return false;
  return !is_note(e.op) && e.op != Op::Initial && e.op != Op::Begin && e.op != Op::End &&
         !(e.flags & event_flag::kPending);
}

std::string fold_text(const Bug& bug, const Buffers& buffers, size_t from, size_t to) {
  size_t steps = 0;
  ThreadSet threads = 0;
  for (size_t i = from; i < to; ++i) {
    if (!counts(buffers, bug.events[i], i)) continue;
    ++steps;
    threads |= bit(thread_of(bug, bug.events[i].raw));
  }
  if (!steps) return "";
  std::string names;
  for (; threads; threads &= threads - 1) names += (names.empty() ? "" : ", ") + thread_name(bug, lowest(threads));
  return fmt::format("... {} {} of {}", steps, steps == 1 ? "step" : "steps", names);
}

/// The library's function that the user's line has called: "push_back"; empty: the access is the user's own.
std::string called_function(const Bug& bug, const BugEvent& event) {
  std::string function;
  for (const Place& frame : places(bug, event.stack)) {
    if (!in_system_header(frame.file)) break;
    function = frame.function;
  }
  // Without namespaces, classes and arguments.
  function = function.substr(0, function.find('('));
  size_t begin = 0, depth = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    if (function[i] == '<') ++depth;
    if (function[i] == '>' && depth > 0) --depth;
    if (depth == 0 && function.compare(i, 2, "::") == 0) begin = i + 2;
  }
  return function.substr(begin, function.find('<', begin) - begin);
}

bool can_be_folded(const Bug& bug, size_t index) {
  const Event& e = bug.events[index].raw;
  return machine::is_access(e.op) && e.order <= Order::Volatile && !(e.flags & event_flag::kFailed) &&
         !bug.events[index].stack.empty();
}

/// One event for each call of a library's function, if no other thread stepped in between.
std::vector<size_t> without_calls(const Bug& bug, const std::vector<size_t>& events,
                                  std::map<size_t, FoldedCall>& calls) {
  std::vector<size_t> told;
  for (size_t i = 0; i < events.size();) {
    const BugEvent& first = bug.events[events[i]];
    const std::string function = can_be_folded(bug, events[i]) ? called_function(bug, first) : "";
    size_t end = i + 1;
    while (!function.empty() && end < events.size() && can_be_folded(bug, events[end])) {
      const BugEvent& next = bug.events[events[end]];
      bool alone = next.raw.thread == first.raw.thread && next.place.line == first.place.line;
      for (size_t k = events[end - 1]; k < events[end]; ++k) alone &= bug.events[k].raw.thread == first.raw.thread;
      if (!alone || called_function(bug, next) != function) break;
      ++end;
    }
    told.push_back(events[i]);
    // A call at the end of a function leaves no frame: then only the library's inner name is known.
    const bool named = !function.starts_with("_");
    const std::string what = named ? function : "steps of the library";
    const size_t few = named ? 2 : 6;  // that say more than their number
    // Storage that its container has left by now has no name.
    const std::string object = container_in(first.where);
    const std::string on = object.starts_with("block") ? "" : " on " + object;
    if (end - i > few) calls[events[i]] = {events[end - 1], fmt::format("{}{} ({} steps)", what, on, end - i)};
    for (size_t k = i + 1; k < end && end - i <= few; ++k) told.push_back(events[k]);
    i = end;
  }
  return told;
}

/// The steps of libraries' calls need less room than others.
std::vector<size_t> told_events(const Bug& bug, size_t most, bool fold_calls, std::map<size_t, FoldedCall>& calls) {
  if (!fold_calls) return relevant_events(bug, most);
  for (size_t room = 4 * most;; room /= 2) {
    calls.clear();
    std::vector<size_t> told = without_calls(bug, relevant_events(bug, std::max(room, most)), calls);
    if (told.size() <= most || room <= most) return told;
  }
}

}  // namespace

std::map<size_t, FoldedCall> folded_calls(const Bug& bug) {
  std::map<size_t, FoldedCall> calls;
  without_calls(bug, relevant_events(bug, bug.events.size()), calls);
  return calls;
}

std::vector<StoryRow> story_rows(const Bug& bug, size_t most, bool fold_calls) {
  std::vector<StoryRow> rows;
  const Buffers buffers(bug);
  const std::vector<Reordering> reordered = reorderings(bug, buffers);
  auto reasons = switch_reasons(bug, buffers);
  auto reason = reasons.begin();
  size_t expected = 0;
  ThreadSet shown = 0;
  std::map<size_t, FoldedCall> calls;
  for (size_t index : told_events(bug, most, fold_calls, calls)) {
    const BugEvent& event = bug.events[index];
    const ThreadId thread = thread_of(bug, event.raw);
    // Of several switches in between, the one of the thread that was told about last matters.
    std::optional<StoryRow> note;
    for (; reason != reasons.end() && reason->first <= index; ++reason)
      if (!rows.empty() && (shown & bit(reason->second.first)) && (!note || rows.back().thread == reason->second.first))
        note = StoryRow{StoryRow::Note, index, reason->second.first, reason->second.second};
    if (note && note->thread != thread) rows.push_back(*note);
    if (std::string fold = fold_text(bug, buffers, expected, index); !fold.empty())
      rows.push_back({StoryRow::Fold, index, thread, fold});
    const auto call = calls.find(index);
    rows.push_back({StoryRow::Step, index, thread, call == calls.end() ? buffers.told(index) : call->second.text});
    for (const Reordering& r : reordered)
      if (r.at == index) rows.push_back({StoryRow::Reordered, index, thread, r.text});
    shown |= bit(thread);
    expected = (call == calls.end() ? index : call->second.last) + 1;
  }
  if (const std::optional<Race> race = race_of(bug)) {
    const std::string text = fmt::format("{} {} | {} {}", thread_name(bug, race->first.thread), race->first.text,
                                         thread_name(bug, race->second.thread), race->second.text);
    rows.push_back({StoryRow::Race, race->second.event, race->second.thread, text});
  }
  return rows;
}

}  // namespace plait
