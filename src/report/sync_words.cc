#include "report/sync_words.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/names.h"

namespace plait {
namespace {

/// Who stands in front of taking the semaphore: threads always run up to their next visible operation.
ThreadSet semaphore_waiters(const Bug& bug, size_t post) {
  ThreadSet waiting = 0, seen = bit(bug.events[post].raw.thread);
  ThreadSet begun = 0;
  for (size_t i = 0; i < post; ++i) begun |= bit(bug.events[i].raw.thread);
  for (size_t i = post + 1; i < bug.events.size(); ++i) {
    const Event& e = bug.events[i].raw;
    if (seen & bit(e.thread)) continue;
    seen |= bit(e.thread);
    if (e.op == Op::SemWait && e.location == bug.events[post].raw.location && (begun & bit(e.thread)))
      waiting |= bit(e.thread);
  }
  return waiting;
}

std::string semaphore_words(const Bug& bug, size_t post, i32 before) {
  const ThreadSet waiting = semaphore_waiters(bug, post);
  if (before > 0 || !waiting) return fmt::format(" (nobody waits, it is {} now)", before + 1);
  if (count(waiting) == 1) return fmt::format(" (lets {} go on)", thread_list(bug, waiting));
  return fmt::format(" (lets one of {} go on)", thread_list(bug, waiting));
}

}  // namespace

u32 MachineReplay::index(u64 key) {
  auto [at, fresh] = indices_.emplace(key, static_cast<u32>(objects_.size()));
  if (fresh) objects_.emplace_back();
  return at->second;
}

const machine::Object* MachineReplay::object(u64 location) const {
  auto found = indices_.find(location);
  return found == indices_.end() ? nullptr : &objects_[found->second];
}

void MachineReplay::step(const Event& event) {
  woken_ = 0;
  if (event.flags & (event_flag::kPending | event_flag::kRefused)) return;
  if (event.op == Op::Initial) {
    objects_[index(event.location)] = machine::initial_object(event);
    return;
  }
  const machine::ObjectKeys keys = machine::object_keys(event);
  if (!keys.first || !machine::is_sync(event.op)) return;
  machine::Operation operation = machine::operation_of(event);
  operation.object = index(keys.first);
  if (keys.second) operation.object2 = index(keys.second);
  // What was found in memory is not in the event, but whether it was what the thread expected.
  if (event.op == Op::FutexWait) operation.extra = event.value == 0 ? event.operand : ~event.operand;
  const ThreadSet before = objects_[operation.object].waiters;
  machine::SyncState state{objects_.data(), 0};
  machine::perform(state, event.thread, operation, event.arg);
  const machine::ObjectKind kind = machine::traits(event.op).object;
  const bool wakes = event.op == Op::Signal || event.op == Op::Broadcast || event.op == Op::FutexNotify;
  if (wakes || (event.op == Op::BarrierArrive && kind == machine::ObjectKind::Barrier))
    woken_ = before & ~objects_[operation.object].waiters;
}

ThreadSet MachineReplay::waiting(u64 location) const {
  const machine::Object* found = object(location);
  return found ? found->waiters : 0;
}

i32 MachineReplay::value(u64 location) const {
  const machine::Object* found = object(location);
  return found ? found->value : 0;
}

std::vector<std::string> wake_words(const Bug& bug) {
  std::vector<std::string> words(bug.events.size());
  if (bug.runtime) return words;
  MachineReplay machine;
  for (size_t i = 0; i < bug.events.size(); ++i) {
    const Event& e = bug.events[i].raw;
    if (e.flags & event_flag::kPending) continue;
    const i32 before = e.op == Op::SemPost ? machine.value(e.location) : 0;
    machine.step(e);
    switch (e.op) {
      case Op::Signal:
      case Op::Broadcast:
      case Op::FutexNotify:
        words[i] = machine.woken() ? fmt::format(" (wakes {})", thread_list(bug, machine.woken())) : " (nobody waits)";
        break;
      case Op::BarrierArrive:
        if (machine.woken())
          words[i] = fmt::format(" (the last one: lets {} go on)", thread_list(bug, machine.woken()));
        break;
      case Op::SemPost: words[i] = semaphore_words(bug, i, before); break;
      default: break;
    }
  }
  return words;
}

namespace {

/// Follows what one thread takes and gives back.
class Holder {
 public:
  Holder(const Bug& bug, ThreadId thread) : bug_(bug), thread_(thread) {}

  void take(u64 location, const std::string& name, const Place& place, bool shared) {
    held_.push_back({location, name, place, shared});
  }
  void give(u64 location) {
    auto last = std::find_if(held_.rbegin(), held_.rend(), [&](const HeldLock& h) { return h.location == location; });
    if (last != held_.rend()) held_.erase(std::next(last).base());
  }
  void step(const BugEvent& event) {
    const Event& e = event.raw;
    if (e.op == Op::Initial && machine::initial_object(e).owner == thread_ && !holds(e.location))
      take(e.location, event.where, {}, false);
    if (e.thread != thread_) return;
    if (e.op == Op::CondWait) mutex_of_wait_ = e.operand;
    const machine::HoldChange change = machine::hold_change(e.op, e.value);
    const u64 lock = change.of_second ? mutex_of_wait_ : e.location;
    if (change.kind == machine::HoldChange::Takes)
      take(lock, change.of_second ? name_of(lock) : event.where, event.place, change.shares);
    else if (change.kind == machine::HoldChange::Gives)
      give(lock);
  }
  bool holds(u64 location) const {
    return std::any_of(held_.begin(), held_.end(), [&](const HeldLock& h) { return h.location == location; });
  }
  std::vector<HeldLock> held() const { return held_; }

 private:
  /// A waiter gets its mutex back: the name stands where somebody took it.
  std::string name_of(u64 lock) const {
    for (const BugEvent& event : bug_.events)
      if (event.raw.location == lock && machine::is_sync(event.raw.op)) return event.where;
    return "";
  }

  const Bug& bug_;
  const ThreadId thread_;
  u64 mutex_of_wait_ = 0;
  std::vector<HeldLock> held_;
};

}  // namespace

std::vector<HeldLock> held_locks(const Bug& bug, ThreadId thread, size_t at) {
  Holder holder(bug, thread);
  auto hold = bug.holds.begin();
  for (size_t i = 0; i <= bug.events.size(); ++i) {
    // What the thread did silently behind its last event belongs to what it is about to do.
    const bool reached = i >= at || i == bug.events.size() || (bug.events[i].raw.flags & event_flag::kPending);
    for (; hold != bug.holds.end() && hold->event <= i; ++hold) {
      if (hold->thread != thread) continue;
      if (hold->takes)
        holder.take(hold->location, hold->where, hold->place, hold->shared);
      else
        holder.give(hold->location);
    }
    if (reached) break;
    holder.step(bug.events[i]);
  }
  return holder.held();
}

std::string thread_list(const Bug& bug, ThreadSet threads) {
  std::string text;
  for (; threads; threads &= threads - 1) {
    const bool last = (threads & (threads - 1)) == 0;
    if (!text.empty()) text += last ? " and " : ", ";
    text += thread_name(bug, lowest(threads));
  }
  return text;
}

}  // namespace plait
