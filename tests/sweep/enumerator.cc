#include "enumerator.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

namespace sweep {
namespace {

// Objects are numbered through: variables, mutexes, conditions, semaphores.
constexpr int kFirstMutex = kVariables;
constexpr int kFirstCondition = kFirstMutex + kMutexes;
constexpr int kFirstSemaphore = kFirstCondition + kConditions;
constexpr int kObjects = kFirstSemaphore + kSemaphores;
constexpr int kNobody = -1;

struct ThreadState {
  bool started = false, ended = false, woken = false;
  int pc = 0;
  int phase = 0;  // second half of an add or of a wait
  int temporary = 0;
  int waiting_on = kNobody;  // condition
  int identity = 0;
  int forks = 0;
  int registers[kRegisters] = {};
  std::vector<int> children;  // not joined yet, in the order of their forks
};

struct State {
  ThreadState threads[kThreads];
  int variables[kVariables] = {};
  int owners[kMutexes];
  int semaphores[kSemaphores];
  bool forked = false;
};

/// What a thread is about to do, as far as scheduling is concerned.
struct Pending {
  bool enabled = true;
  int object = kNobody;   // none: a step on the thread's own state
  int object2 = kNobody;  // the mutex of a wait
  bool write = false;
  int awaits = kNobody;  // when not enabled: the thread that holds it up, if there is one
};

class Enumerator {
 public:
  Enumerator(const Program& program, std::uint64_t limit) : program_(program), limit_(limit) {}

  Enumeration run() {
    State start;
    std::fill(std::begin(start.owners), std::end(start.owners), kNobody);
    for (int i = 0; i < kSemaphores; ++i) start.semaphores[i] = i;
    start.threads[0].started = true;
    // What is shared decides what the executions are, and the executions show what is shared: from nothing up to the
    // least fixed point.
    do {
      result_ = {};
      for (int object = 0; object < kObjects; ++object) shared_[object] = in_use_by_several(object);
      count(start);
    } while (!result_.exceeded && !result_.misuse && more_is_shared());
    return result_;
  }

 private:
  const Program& program_;
  const std::uint64_t limit_;
  Enumeration result_;
  std::map<std::pair<int, int>, int> identities_;  // (parent, fork index) -> identity
  std::uint64_t users_[kObjects] = {};             // by identity, over all executions
  bool writes_[kObjects] = {};
  bool shared_[kObjects] = {};

  bool in_use_by_several(int object) const {
    const bool many = (users_[object] & (users_[object] - 1)) != 0;
    return many && (object >= kFirstMutex || writes_[object]);
  }

  bool more_is_shared() const {
    for (int object = 0; object < kObjects; ++object)
      if (in_use_by_several(object) != shared_[object]) return true;
    return false;
  }

  bool shared(int object) const { return object != kNobody && shared_[object]; }

  Pending pending(const State& state, int t) const {
    const ThreadState& self = state.threads[t];
    const Thread& code = program_[static_cast<std::size_t>(t)];
    const bool at_end = self.pc >= static_cast<int>(code.size());
    const Operation operation = at_end ? Operation{'j', {}} : code[static_cast<std::size_t>(self.pc)];
    const int a = operation.arg[0], b = operation.arg[1];
    Pending result;
    switch (operation.code) {
      case 'l':
      case 'L':
        result.object = a;
        break;
      case 's':
      case 'A':
      case 'S':
      case 'F':
      case 'C':
        result.object = a, result.write = true;
        break;
      case 'a':
        result.object = a, result.write = self.phase == 1;
        break;
      case 'k':
        result.object = kFirstMutex + a, result.awaits = state.owners[a];
        result.enabled = state.owners[a] == kNobody;
        break;
      case 'u':
      case 't':
        result.object = kFirstMutex + a;
        break;
      case 'w':
        result.object = kFirstCondition + a, result.object2 = kFirstMutex + b;
        result.enabled = self.phase == 0 || (self.woken && state.owners[b] == kNobody);
        if (self.woken) result.awaits = state.owners[b];
        break;
      case 'g':
      case 'b':
        result.object = kFirstCondition + a;
        break;
      case 'W':
        result.object = kFirstSemaphore + a, result.enabled = state.semaphores[a] > 0;
        break;
      case 'P':
      case 'T':
        result.object = kFirstSemaphore + a;
        break;
      case 'j':
        for (int child : self.children) {
          if (state.threads[child].ended) continue;
          result.enabled = false, result.awaits = child;
          break;
        }
        break;
      default:
        break;
    }
    return result;
  }

  /// The threads that a signal may wake, if t is about to signal; else, or if there are none, one choice: nobody.
  std::vector<int> choices(const State& state, int t) const {
    const ThreadState& self = state.threads[t];
    const Thread& code = program_[static_cast<std::size_t>(t)];
    std::vector<int> result;
    if (self.pc < static_cast<int>(code.size()) && code[static_cast<std::size_t>(self.pc)].code == 'g')
      for (int other = 0; other < kThreads; ++other)
        if (state.threads[other].waiting_on == code[static_cast<std::size_t>(self.pc)].arg[0]) result.push_back(other);
    if (result.empty()) result.push_back(kNobody);
    return result;
  }

  static void wake(ThreadState& thread) { thread.waiting_on = kNobody, thread.woken = true; }

  void step(State& state, int t, int choice) {
    ThreadState& self = state.threads[t];
    const Thread& code = program_[static_cast<std::size_t>(t)];
    if (self.pc >= static_cast<int>(code.size())) {
      self.ended = true;
      return;
    }
    const Operation& operation = code[static_cast<std::size_t>(self.pc)];
    const int a = operation.arg[0], b = operation.arg[1], c = operation.arg[2], d = operation.arg[3];
    switch (operation.code) {
      case 'l':
      case 'L':
        self.registers[b] = state.variables[a] & kRegisterMask;
        break;
      case 's':
      case 'A':
        state.variables[a] = b;
        break;
      case 'S':
        state.variables[a] = self.registers[b] + c;
        break;
      case 'a':
        if (self.phase == 0) {
          self.temporary = state.variables[a], self.phase = 1;
          return;
        }
        state.variables[a] = self.temporary + b, self.phase = 0, self.temporary = 0;
        break;
      case 'F':
        self.registers[c] = state.variables[a] & kRegisterMask, state.variables[a] += b;
        break;
      case 'C':
        self.registers[d] = state.variables[a] & kRegisterMask;
        if (state.variables[a] == b) state.variables[a] = c;
        break;
      case 'k':
        state.owners[a] = t;
        break;
      case 'u':
        if (state.owners[a] != t) result_.misuse = true;
        state.owners[a] = kNobody;
        break;
      case 't':
        self.registers[b] = state.owners[a] == kNobody;
        if (state.owners[a] == kNobody) state.owners[a] = t;
        break;
      case 'w':
        if (self.phase == 0) {
          if (state.owners[b] != t) result_.misuse = true;
          state.owners[b] = kNobody, self.waiting_on = a, self.phase = 1;
          return;
        }
        state.owners[b] = t, self.woken = false, self.phase = 0;
        break;
      case 'g':
        if (choice != kNobody) wake(state.threads[choice]);
        break;
      case 'b':
        for (ThreadState& other : state.threads)
          if (other.waiting_on == a) wake(other);
        break;
      case 'P':
        ++state.semaphores[a];
        break;
      case 'W':
        --state.semaphores[a];
        break;
      case 'T':
        self.registers[b] = state.semaphores[a] > 0;
        if (state.semaphores[a] > 0) --state.semaphores[a];
        break;
      case '?':
        if (self.registers[a] != b) self.pc = std::min(self.pc + c, static_cast<int>(code.size()) - 1);
        break;
      case 'f': {
        const auto key = std::make_pair(self.identity, self.forks++);
        const int next = static_cast<int>(identities_.size()) + 1;
        state.threads[a].identity = identities_.try_emplace(key, next).first->second;
        state.threads[a].started = true;
        self.children.push_back(a);
        state.forked = true;
        break;
      }
      case 'j':
        self.children.clear();
        break;
    }
    ++self.pc;
  }

  bool alive(const State& state, int t) const { return state.threads[t].started && !state.threads[t].ended; }

  void use(const State& state, int t, int object, bool write) {
    if (object == kNobody || !state.forked) return;
    users_[object] |= std::uint64_t{1} << state.threads[t].identity;
    writes_[object] |= write;
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
          const Pending next = pending(state, t);
          use(state, t, next.object, next.write), use(state, t, next.object2, false);
          if (is_point(state, next) || !next.enabled) break;
          step(state, t, choices(state, t)[0]);
          progress = true;
        }
    }
  }

  bool waits_in_a_cycle(const State& state, int t) const {
    int at = t;
    for (int hops = 0; hops < kThreads; ++hops) {
      if (!alive(state, at)) return false;
      const Pending next = pending(state, at);
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
    for (int t = 0; t < kThreads; ++t) {
      if (!alive(state, t) || !pending(state, t).enabled) continue;
      stepped = true;
      for (int choice : choices(state, t)) {
        State successor = state;
        step(successor, t, choice);
        count(successor);
      }
    }
    if (!stepped) finish(state);
  }

  void finish(const State& state) {
    bool complete = true;
    std::uint64_t word = 0;
    for (int t = 0; t < kThreads; ++t) {
      if (!state.threads[t].started) continue;
      complete &= state.threads[t].ended;
      for (int r = 0; r < kRegisters; ++r)
        word |= static_cast<std::uint64_t>(state.threads[t].registers[r]) << (4 * (kRegisters * t + r));
    }
    ++(complete ? result_.interleavings : result_.deadlocks);
    if (result_.interleavings + result_.deadlocks > limit_) result_.exceeded = true;
    if (!complete) return;
    char text[32];
    std::snprintf(text, sizeof text, "%015llx\n", static_cast<unsigned long long>(word));
    result_.outcomes.insert(text);
  }
};

}  // namespace

Enumeration enumerate(const Program& program, std::uint64_t limit) { return Enumerator(program, limit).run(); }

}  // namespace sweep
