#include "enumerator.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "happens_before.h"
#include "semantics.h"

namespace sweep {
namespace {

class Enumerator {
 public:
  Enumerator(const Program& program, std::uint64_t limit, MemoryModel model)
      : model_(model), semantics_(program, model, shared_bytes_), limit_(limit) {}

  Enumeration run() {
    // What is shared decides what the executions are, and the executions show what is shared: from nothing up to the
    // least fixed point.
    do {
      result_ = {};
      histories_.clear();
      classes_.clear();
      roots_.clear();
      shared_ = visible();
      for (int byte = 0; byte < kFirstMutex; ++byte)
        if (shared_[static_cast<std::size_t>(byte)])
          shared_bytes_[byte / kVariableBytes] |= 1u << byte % kVariableBytes;
      count(semantics_.start());
    } while (!result_.exceeded && !result_.misuse && more_is_shared());
    result_.histories = histories_.size();
    result_.classes = classes_.size();
    for (const auto& [condition, mutex] : blocked_waits_)
      result_.ambiguous |= used_by_several(mutex) && !used_by_several(condition);
    return result_;
  }

 private:
  const MemoryModel model_;
  Bytes shared_bytes_{};
  Semantics semantics_;
  const std::uint64_t limit_;
  Enumeration result_;
  std::uint64_t users_[kObjects] = {};  // by identity, over all executions
  bool writes_[kObjects] = {};
  bool wanted_[kObjects] = {};
  std::set<std::pair<int, int>>
      blocked_waits_;  // (condition, mutex) of waits that were no scheduling points at that time
  std::array<bool, kObjects> shared_{};
  std::set<std::pair<int, unsigned>> accesses_;  // to variables: the first byte, the bytes
  // Histories are numbered: a thread's start, or what was added to which. Numbers below 0 are starts.
  std::map<std::pair<int, std::uint64_t>, int> histories_;
  std::map<std::pair<int, int>, int> roots_;
  std::set<std::array<int, kThreads>> classes_;

  bool used_by_several(int object) const {
    const bool many = (users_[object] & (users_[object] - 1)) != 0;
    return many && (object >= kFirstMutex || writes_[object]);
  }

  using Objects = std::array<bool, kObjects>;

  static bool contains(const Objects& objects, int object, unsigned bytes) {
    for (std::size_t i = 0; i < kVariableBytes; ++i)
      if ((bytes >> i & 1) && objects[static_cast<std::size_t>(object) + i]) return true;
    return false;
  }

  Objects visible() const {
    // A wait is an operation on the mutex, too: on a condition that several use, it makes the mutex visible. An object
    // that a thread is blocked on is visible even if nobody else uses it.
    Objects objects{};
    for (int object = 0; object < kObjects; ++object)
      objects[static_cast<std::size_t>(object)] = wanted_[object] || used_by_several(object);
    // All bytes of an access are shared if one of them is.
    for (Objects before{}; before != objects;) {
      before = objects;
      for (const auto& [object, bytes] : accesses_)
        if (contains(objects, object, bytes))
          for (std::size_t i = 0; i < kVariableBytes; ++i)
            if (bytes >> i & 1) objects[static_cast<std::size_t>(object) + i] = true;
    }
    return objects;
  }

  bool more_is_shared() const { return visible() != shared_; }

  bool shared(int object, unsigned bytes = 1) const { return object != kNobody && contains(shared_, object, bytes); }

  void use(const State& state, int t, int object, unsigned bytes, bool write) {
    if (object == kNobody || !state.forked) return;
    if (object < kFirstMutex) accesses_.insert({object, bytes});
    for (int i = 0; i < kVariableBytes; ++i) {
      if (!(bytes >> i & 1)) continue;
      users_[object + i] |= std::uint64_t{1} << state.threads[t].identity;
      writes_[object + i] |= write;
    }
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

  struct Access {
    int thread;
    int object;
    unsigned bytes;
    bool write, atomic;
    char letter;
  };

  /// Threads stand in front of their next scheduling points, buffered stores in front of memory.
  std::vector<Access> about_to_happen(const State& state) const {
    std::vector<Access> accesses;
    for (int t = 0; t < kThreads; ++t) {
      if (!alive(state, t)) continue;
      const Pending next = semantics_.pending(state, t);
      if (next.access && is_point(state, next) && Semantics::can_step(state, t, next))
        accesses.push_back({t, next.object, next.bytes, next.write, next.atomic, next.access});
      const StoreBuffer& buffer = state.threads[t].buffer;
      for (const std::size_t place : flushable(buffer, model_)) {
        const BufferedStore& store = buffer.stores[place];
        accesses.push_back({t, store.variable * kVariableBytes, store.bytes, true, store.atomic, store.access});
      }
    }
    return accesses;
  }

  void look_for_races(const State& state) {
    const std::vector<Access> accesses = about_to_happen(state);
    for (const Access& one : accesses)
      for (const Access& other : accesses) {
        if (one.thread >= other.thread || one.object != other.object || !(one.bytes & other.bytes)) continue;
        if (!(one.write || other.write) || (one.atomic && other.atomic)) continue;
        result_.races.insert(std::minmax(one.letter, other.letter));
      }
  }

  bool is_point(const State& state, const Pending& next) const {
    if (!state.forked || next.buffered) return false;
    return next.output || shared(next.object, next.bytes) || shared(next.object2);
  }

  /// Everything that is no scheduling point happens now. Afterwards each thread has ended, stands at a scheduling
  /// point or is blocked; what it is about to do counts as use.
  void run_silently(State& state) {
    for (bool progress = true; progress;) {
      progress = false;
      for (int t = 0; t < kThreads; ++t)
        while (alive(state, t)) {
          const Pending next = semantics_.pending(state, t);
          use(state, t, next.object, next.bytes, next.write), use(state, t, next.object2, 1, false);
          if (state.forked && shared(next.object) && next.object2 != kNobody) wanted_[next.object2] = true;
          if (state.forked && !next.enabled && next.object != kNobody && !is_point(state, next)) {
            wanted_[next.object] = true;
            if (next.object2 != kNobody) blocked_waits_.insert({next.object, next.object2});
          }
          if (is_point(state, next) || !Semantics::can_step(state, t, next)) break;
          step(state, t, semantics_.choices(state, t)[0]);
          progress = true;
        }
    }
  }

  void count(State state) {
    if (result_.exceeded || result_.misuse) return;
    run_silently(state);
    bool stepped = false;
    look_for_races(state);
    for (int t = 0; t < kThreads; ++t) {
      if (!alive(state, t)) continue;
      for (const std::size_t place : flushable(state.threads[t].buffer, model_)) {
        stepped = true;
        State successor = state;
        flush(successor.variables, successor.threads[t].buffer, place);
        count(successor);
      }
      if (!Semantics::can_step(state, t, semantics_.pending(state, t))) continue;
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
    std::array<int, kThreads> told{};
    for (std::size_t t = 0; t < kThreads; ++t)
      if (state.threads[t].started) told[t] = 1 + state.threads[t].history;  // also apart from a thread that never was
    classes_.insert(told);
    char text[32];
    std::snprintf(text, sizeof text, "%015llx\n", static_cast<unsigned long long>(state.threads[0].returned));
    result_.outcomes.insert(text);
  }
};

}  // namespace

Enumeration enumerate(const Program& program, std::uint64_t limit, MemoryModel model) {
  Enumeration result = Enumerator(program, limit, model).run();
  if (result.exceeded || result.misuse || (!orders_without_handing_on(program) && result.races.empty())) return result;
  constexpr std::uint64_t kStates = 50000;
  const auto unordered = unordered_accesses(program, kStates, model);
  result.races_known = unordered.has_value();
  if (unordered) result.races.insert(unordered->begin(), unordered->end());
  return result;
}

}  // namespace sweep
