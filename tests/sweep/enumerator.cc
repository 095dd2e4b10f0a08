#include "enumerator.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "semantics.h"

namespace sweep {
namespace {

class Enumerator {
 public:
  Enumerator(const Program& program, std::uint64_t limit) : semantics_(program), limit_(limit) {}

  Enumeration run() {
    // What is shared decides what the executions are, and the executions show what is shared: from nothing up to the
    // least fixed point.
    do {
      result_ = {};
      histories_.clear();
      roots_.clear();
      for (int object = 0; object < kObjects; ++object) shared_[object] = visible(object);
      count(semantics_.start());
    } while (!result_.exceeded && !result_.misuse && more_is_shared());
    result_.histories = histories_.size();
    for (const auto& [condition, mutex] : blocked_waits_)
      result_.ambiguous |= used_by_several(mutex) && !used_by_several(condition);
    return result_;
  }

 private:
  Semantics semantics_;
  const std::uint64_t limit_;
  Enumeration result_;
  std::uint64_t users_[kObjects] = {};  // by identity, over all executions
  bool writes_[kObjects] = {};
  bool wanted_[kObjects] = {};
  std::set<std::pair<int, int>>
      blocked_waits_;  // (condition, mutex) of waits that were no scheduling points at that time
  bool shared_[kObjects] = {};
  // Histories are numbered: a thread's start, or what was added to which. Numbers below 0 are starts.
  std::map<std::pair<int, std::uint64_t>, int> histories_;
  std::map<std::pair<int, int>, int> roots_;

  bool used_by_several(int object) const {
    const bool many = (users_[object] & (users_[object] - 1)) != 0;
    return many && (object >= kFirstMutex || writes_[object]);
  }

  bool visible(int object) const {
    // A wait is an operation on the mutex, too: on a condition that several use, it makes the mutex visible. An object
    // that a thread is blocked on is visible even if nobody else uses it.
    return wanted_[object] || used_by_several(object);
  }

  bool more_is_shared() const {
    for (int object = 0; object < kObjects; ++object)
      if (visible(object) != shared_[object]) return true;
    return false;
  }

  bool shared(int object) const { return object != kNobody && shared_[object]; }

  void use(const State& state, int t, int object, bool write) {
    if (object == kNobody || !state.forked) return;
    users_[object] |= std::uint64_t{1} << state.threads[t].identity;
    writes_[object] |= write;
  }

  void step(State& state, int t, int choice) {
    const Pending pending = semantics_.pending(state, t);
    // A join is no scheduling point, but hands over what the other thread returned.
    if (is_point(state, pending) || pending.object == kNobody)
      if (const auto told = semantics_.result(state, t)) extend_history(state.threads[t], t, *told);
    if (!semantics_.step(state, t, choice)) result_.misuse = true;
  }

  void extend_history(ThreadState& thread, int t, std::uint64_t told) {
    if (thread.history == 0)
      thread.history = roots_.try_emplace({thread.identity, t}, -1 - static_cast<int>(roots_.size())).first->second;
    thread.history =
        histories_.try_emplace({thread.history, told}, static_cast<int>(histories_.size()) + 1).first->second;
  }

  /// Threads stand in front of their next scheduling points.
  void look_for_races(const State& state) {
    for (int t = 0; t < kThreads; ++t) {
      if (!alive(state, t)) continue;
      const Pending one = semantics_.pending(state, t);
      if (!one.access || !is_point(state, one)) continue;
      for (int u = t + 1; u < kThreads; ++u) {
        if (!alive(state, u)) continue;
        const Pending other = semantics_.pending(state, u);
        if (!other.access || other.object != one.object || !(one.write || other.write) || (one.atomic && other.atomic))
          continue;
        result_.races.insert(std::minmax(one.access, other.access));
      }
    }
  }

  bool is_point(const State& state, const Pending& next) const {
    return state.forked && (shared(next.object) || shared(next.object2));
  }

  /// Everything that is no scheduling point happens now. Afterwards each thread has ended, stands at a scheduling
  /// point or is blocked; what it is about to do counts as use.
  void run_silently(State& state) {
    for (bool progress = true; progress;) {
      progress = false;
      for (int t = 0; t < kThreads; ++t)
        while (alive(state, t)) {
          const Pending next = semantics_.pending(state, t);
          use(state, t, next.object, next.write), use(state, t, next.object2, false);
          if (state.forked && shared(next.object) && next.object2 != kNobody) wanted_[next.object2] = true;
          if (state.forked && !next.enabled && next.object != kNobody && !is_point(state, next)) {
            wanted_[next.object] = true;
            if (next.object2 != kNobody) blocked_waits_.insert({next.object, next.object2});
          }
          if (is_point(state, next) || !next.enabled) break;
          step(state, t, semantics_.choices(state, t)[0]);
          progress = true;
        }
    }
  }

  bool waits_in_a_cycle(const State& state, int t) const {
    int at = t;
    for (int hops = 0; hops < kThreads; ++hops) {
      if (!alive(state, at)) return false;
      const Pending next = semantics_.pending(state, at);
      if (next.enabled || next.awaits == kNobody) return false;
      at = next.awaits;
      if (at == t) return true;
    }
    return false;
  }

  void count(State state) {
    if (result_.exceeded || result_.misuse) return;
    run_silently(state);
    bool stepped = false;
    for (int t = 0; t < kThreads; ++t)
      if (alive(state, t) && waits_in_a_cycle(state, t)) return finish(state);
    look_for_races(state);
    for (int t = 0; t < kThreads; ++t) {
      if (!alive(state, t) || !semantics_.pending(state, t).enabled) continue;
      stepped = true;
      for (int choice : semantics_.choices(state, t)) {
        State successor = state;
        step(successor, t, choice);
        count(successor);
      }
    }
    if (!stepped) finish(state);
  }

  void finish(const State& state) {
    bool complete = true;
    for (int t = 0; t < kThreads; ++t)
      if (state.threads[t].started) complete &= state.threads[t].ended;
    ++(complete ? result_.interleavings : result_.deadlocks);
    if (result_.interleavings + result_.deadlocks > limit_) result_.exceeded = true;
    if (!complete) return;
    char text[32];
    std::snprintf(text, sizeof text, "%015llx\n", static_cast<unsigned long long>(state.threads[0].returned));
    result_.outcomes.insert(text);
  }
};

}  // namespace

Enumeration enumerate(const Program& program, std::uint64_t limit) { return Enumerator(program, limit).run(); }

}  // namespace sweep
