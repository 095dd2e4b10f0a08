#include "semantics.h"

#include <algorithm>
#include <bit>

namespace sweep {

State Semantics::start() const {
  State state;
  std::fill(std::begin(state.owners), std::end(state.owners), kNobody);
  std::fill(std::begin(state.writers), std::end(state.writers), kNobody);
  for (int i = 0; i < kSemaphores; ++i) state.semaphores[i] = i;
  state.threads[0].started = true;
  return state;
}

Pending Semantics::pending(const State& state, int t) const {
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
      result.access = operation.code, result.atomic = operation.code == 'L';
      break;
    case 's':
    case 'A':
    case 'S':
    case 'F':
    case 'C':
      result.object = a, result.write = true;
      result.access = operation.code, result.atomic = operation.code != 's' && operation.code != 'S';
      break;
    case 'a':
      result.object = a, result.write = self.phase == 1;
      result.access = self.phase == 1 ? '+' : 'a';
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
    case 'E':
      if (self.phase == 2) {  // after a time-out: only the mutex matters
        result.object = kFirstMutex + b, result.awaits = state.owners[b];
        result.enabled = state.owners[b] == kNobody;
        break;
      }
      result.object = kFirstCondition + a, result.object2 = kFirstMutex + b;
      result.enabled = !self.woken || state.owners[b] == kNobody;
      if (self.woken) result.awaits = state.owners[b];
      break;
    case 'r':
      result.object = kFirstRwLock + a, result.awaits = state.writers[a];
      result.enabled = state.writers[a] == kNobody || state.writers[a] == t;
      break;
    case 'x':
      result.object = kFirstRwLock + a;
      result.enabled = (state.writers[a] == kNobody && !state.readers[a]) || state.writers[a] == t;
      // Several readers: which of them holds it up cannot be said.
      result.awaits = state.writers[a];
      if (std::has_single_bit(state.readers[a])) result.awaits = std::countr_zero(state.readers[a]);
      break;
    case 'z':
      result.object = kFirstRwLock + a;
      break;
    case 'B':
      result.object = kFirstBarrier + a;
      result.enabled = self.phase == 0 || !(state.arrived[a] >> t & 1);
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
      if (!self.children.empty() && !state.threads[self.children[0]].ended)
        result.enabled = false, result.awaits = self.children[0];
      break;
    default:
      break;
  }
  return result;
}

std::vector<int> Semantics::choices(const State& state, int t) const {
  const ThreadState& self = state.threads[t];
  const Thread& code = program_[static_cast<std::size_t>(t)];
  std::vector<int> result;
  if (self.pc < static_cast<int>(code.size()) && code[static_cast<std::size_t>(self.pc)].code == 'g')
    for (int other = 0; other < kThreads; ++other)
      if (state.threads[other].waiting_on == code[static_cast<std::size_t>(self.pc)].arg[0]) result.push_back(other);
  if (result.empty()) result.push_back(kNobody);
  return result;
}

std::optional<std::uint64_t> Semantics::result(const State& state, int t) const {
  using Result = std::optional<std::uint64_t>;
  const ThreadState& self = state.threads[t];
  const Thread& code = program_[static_cast<std::size_t>(t)];
  const bool at_end = self.pc >= static_cast<int>(code.size());
  const Operation operation = at_end ? Operation{'j', {}} : code[static_cast<std::size_t>(self.pc)];
  const int a = operation.arg[0];
  switch (operation.code) {
    case 'l':
    case 'L':
    case 'F':
    case 'C':
      return static_cast<std::uint64_t>(state.variables[a]);
    case 'a':
      return self.phase == 0 ? Result(state.variables[a]) : std::nullopt;
    case 'j':
      return self.children.empty() ? std::nullopt : Result(state.threads[self.children[0]].returned);
    case 't':
      return state.owners[a] == kNobody;
    case 'T':
      return state.semaphores[a] > 0;
    case 'B':
      return self.phase == 0 ? Result(state.arrived[a] != 0) : std::nullopt;
    case 'E':
      return self.phase == 1 ? Result(!self.woken) : std::nullopt;
    default:
      return {};
  }
}

static void wake(ThreadState& thread) { thread.waiting_on = kNobody, thread.woken = true; }

static void join_first_child(State& state, ThreadState& self) {
  self.returned |= state.threads[self.children[0]].returned;
  self.children.erase(self.children.begin());
}

bool Semantics::step(State& state, int t, int choice) {
  ThreadState& self = state.threads[t];
  const Thread& code = program_[static_cast<std::size_t>(t)];
  if (self.pc >= static_cast<int>(code.size())) {
    if (!self.children.empty()) {
      join_first_child(state, self);
      return true;
    }
    self.ended = true;
    for (int r = 0; r < kRegisters; ++r)
      self.returned |= static_cast<std::uint64_t>(self.registers[r]) << (4 * (kRegisters * t + r));
    return true;
  }
  const Operation& operation = code[static_cast<std::size_t>(self.pc)];
  const int a = operation.arg[0], b = operation.arg[1], c = operation.arg[2], d = operation.arg[3];
  bool proper = true;
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
        return proper;
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
      if (state.owners[a] != t) proper = false;
      state.owners[a] = kNobody;
      break;
    case 't':
      self.registers[b] = state.owners[a] == kNobody;
      if (state.owners[a] == kNobody) state.owners[a] = t;
      break;
    case 'w':
      if (self.phase == 0) {
        if (state.owners[b] != t) proper = false;
        state.owners[b] = kNobody, self.waiting_on = a, self.phase = 1;
        return proper;
      }
      state.owners[b] = t, self.woken = false, self.phase = 0;
      break;
    case 'E':
      if (self.phase == 0) {
        if (state.owners[b] != t) proper = false;
        state.owners[b] = kNobody, self.waiting_on = a, self.phase = 1;
        return proper;
      }
      if (self.phase == 1 && !self.woken) {
        self.waiting_on = kNobody, self.phase = 2;
        return proper;
      }
      self.registers[c] = self.phase == 2;
      state.owners[b] = t, self.woken = false, self.phase = 0;
      break;
    case 'r':
      // A second hold: an error code, or a count, that these programs do not look at.
      if ((state.readers[a] >> t & 1) || state.writers[a] == t) proper = false;
      state.readers[a] |= static_cast<std::uint8_t>(1u << t);
      break;
    case 'x':
      if (state.writers[a] == t) proper = false;
      state.writers[a] = t;
      break;
    case 'z':
      if (state.writers[a] != t && !(state.readers[a] >> t & 1)) proper = false;
      if (state.writers[a] == t) state.writers[a] = kNobody;
      state.readers[a] &= static_cast<std::uint8_t>(~(1u << t));
      break;
    case 'B':
      if (self.phase == 0 && !state.arrived[a]) {
        state.arrived[a] |= static_cast<std::uint8_t>(1u << t), self.phase = 1;
        return proper;
      }
      self.registers[b] = self.phase == 0;
      if (self.phase == 0) state.arrived[a] = 0;
      self.phase = 0;
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
    case 'o':
    case 'y': {
      const bool again = operation.code == 'o' || self.registers[a] != b;
      const int most = operation.code == 'o' ? b : d;
      std::uint8_t& turns = self.turns[static_cast<std::size_t>(self.pc)];
      if (again && turns < most) {
        ++turns;
        self.pc -= body_of(operation);
        return proper;
      }
      turns = 0;
      break;
    }
    case 'i':
      self.registers[a] += 1;
      if (self.registers[a] < b) {
        self.pc -= body_of(operation);
        return proper;
      }
      self.registers[a] &= kRegisterMask;
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
      if (self.children.empty()) break;
      join_first_child(state, self);
      return proper;
  }
  ++self.pc;
  return proper;
}

}  // namespace sweep
