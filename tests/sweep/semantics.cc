#include "semantics.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace sweep {

State Semantics::start() const {
  State state;
  std::fill(std::begin(state.owners), std::end(state.owners), kNobody);
  std::fill(std::begin(state.writers), std::end(state.writers), kNobody);
  for (int i = 0; i < kSemaphores; ++i) state.semaphores[i] = i;
  state.threads[0].started = true;
  return state;
}

namespace {

/// The operation at which a thread stands; its end joins its children, too.
constexpr Operation kEnd = {'j', {}};

int number_of(std::uint32_t value) { return static_cast<int>((value ^ value >> 8) & kRegisterMask); }

/// The bytes that an access to memory touches; 0: no access.
unsigned bytes_of(const Operation& operation) {
  switch (operation.code) {
    case 'H':
    case 'h':
      return 1u << operation.arg[1];
    default:
      return std::strchr("lLQsASFCaRU|", operation.code) ? kAllBytes : 0;
  }
}

bool is_atomic(char code) { return std::strchr("LQAFCRU", code); }

bool drains_always(char code) { return std::strchr("AFCMkutwErxzBgbPWTfd>(n{}pY", code); }

}  // namespace

static bool uses_freed_block(const State& state, const Pending& next) {
  const auto freed = [&](int object) {
    if (object >= kVariables * kVariableBytes && object < kFirstMutex)
      return state.freed[object / kVariableBytes - kVariables];
    const int mutex = object - kFirstMutex;
    return mutex >= kMutexes && mutex < kMutexes + kBlocks && state.freed[mutex - kMutexes];
  };
  return freed(next.object) || freed(next.object2);
}

Operation Semantics::operation_of(const State& state, int t) const {
  const Thread& code = program_[static_cast<std::size_t>(t)];
  const std::size_t pc = static_cast<std::size_t>(state.threads[t].pc);
  return pc < code.size() ? code[pc] : kEnd;
}

Pending Semantics::pending(const State& state, int t) const {
  Pending next = pending_among_the_living(state, t);
  // Nobody waits for what is gone: who still uses it fails.
  if (ends_ && uses_freed_block(state, next)) next.enabled = true;
  return next;
}

Pending Semantics::pending_among_the_living(const State& state, int t) const {
  const ThreadState& self = state.threads[t];
  const bool at_end = self.pc >= static_cast<int>(program_[static_cast<std::size_t>(t)].size());
  const Operation operation = operation_of(state, t);
  const int a = operation.arg[0], b = operation.arg[1];
  Pending result;
  result.drains = drains_always(operation.code);
  if (const unsigned bytes = bytes_of(operation)) {
    result.object = a * kVariableBytes, result.bytes = bytes;
    result.access = operation.code, result.atomic = is_atomic(operation.code);
    result.write = std::strchr("sASFCRUh|", operation.code);
    if (operation.code == 'a' && self.phase == 1) result.write = true, result.access = '+';
    result.buffered = model_ != MemoryModel::SC && state.forked && result.write && !result.drains &&
                      (bytes & shared_[static_cast<std::size_t>(a)]);
    return result;
  }
  switch (operation.code) {
    case 'k':
      result.object = kFirstMutex + a, result.awaits = state.owners[a];
      result.enabled = state.owners[a] == kNobody || (a == kRecursive && state.owners[a] == t);
      break;
    case '(':
      result.enabled = state.threads[a].ended || !state.threads[a].started, result.awaits = a;
      break;
    case 'u':
    case 't':
    case 'Y':
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
      // The end of main is that of the whole program and loses what is buffered.
      result.drains = !self.children.empty() || (at_end && t != 0);
      result.output = self.children.empty() && at_end && t == 0;
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
  const Operation operation = operation_of(state, t);
  const int a = operation.arg[0];
  switch (operation.code) {
    case 'l':
    case 'L':
    case 'Q':
    case 'F':
    case 'C':
      return seen(state.variables, self.buffer, a);
    case 'H':
      return seen(state.variables, self.buffer, a) >> (8 * operation.arg[1]) & 0xff;
    case 'a':
      return self.phase == 0 ? Result(seen(state.variables, self.buffer, a)) : std::nullopt;
    case 'j':
      return self.children.empty() ? std::nullopt : Result(state.threads[self.children[0]].returned);
    case 't':
      return state.owners[a] == kNobody || (a == kRecursive && state.owners[a] == t);
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

static void fail(State& state, const char* kind, const std::string& site) {
  state.process.end = End::Failure;
  state.process.failure = std::string(kind) + "@" + site;
}

/// Using a mutex after its end, or ending it while it is held.
static bool misuses_destroyed(const State& state, const Pending& next, char code) {
  const int mutex = next.object - kFirstMutex;
  if (mutex < 0 || mutex >= kAllMutexes) return false;
  return state.destroyed[mutex] || (code == 'Y' && state.owners[mutex] != kNobody);
}

static void keep_registers(ThreadState& self, int t) {
  for (int r = 0; r < kRegisters; ++r)
    self.returned |= static_cast<std::uint64_t>(self.registers[r]) << (4 * (kRegisters * t + r));
}

/// exit(): one handler for each step, then the end.
static bool exit_program(State& state, int t) {
  Process& process = state.process;
  if (process.exiting != kNobody && process.exiting != t) return false;
  process.exiting = t;
  if (process.handlers.empty()) {
    process.end = End::Normal;
    return true;
  }
  process.output += "h" + std::to_string(process.handlers.back()) + "\n";
  process.handlers.pop_back();
  return true;
}

static bool return_from_main(State& state) {
  ThreadState& main = state.threads[0];
  if (main.phase++) return exit_program(state, 0);
  keep_registers(main, 0);
  char text[32];
  std::snprintf(text, sizeof text, "%015llx\n", static_cast<unsigned long long>(main.returned));
  state.process.output += text;
  return true;
}

bool Semantics::step_of_family(State& state, int t, const Operation& operation) {
  static constexpr const char* kFailures[kWaysToFail] = {"assertion", "abort", "null-dereference"};
  ThreadState& self = state.threads[t];
  Process& process = state.process;
  const int a = operation.arg[0], b = operation.arg[1], c = operation.arg[2];
  bool proper = true;
  switch (operation.code) {
    case 'V':
      if (self.registers[a] != b) process.end = End::Cut;
      break;
    case 'X':
      if (self.registers[a] == b) fail(state, kFailures[c], "X" + std::to_string(c));
      break;
    case 'e':
      if (self.phase++) return exit_program(state, t);
      process.output += std::to_string(t) + ":";
      for (const int value : self.registers) process.output += "0123456789abcdef"[value & kRegisterMask];
      process.output += "\n";
      return true;
    case 'q':
      if (t == 0) return return_from_main(state);
      [[fallthrough]];
    case 'p':
      keep_registers(self, t);
      self.ended = true;
      break;
    case 'd':
    case '>':
      fork(state, t, a);
      break;
    case '(':
      proper = state.threads[a].started;
      self.returned |= state.threads[a].returned;
      break;
    case 'n':
      if (state.freed[a]) fail(state, "double-free", "n");
      state.freed[a] = true;
      break;
    case 'Y':
      state.destroyed[a] = true;
      break;
    case '~':
      if (self.registers[a] != b) {
        self.pc -= body_of(operation);
        return true;
      }
      break;
    case '{':
      proper = state.atomic != t;
      state.atomic = t;
      break;
    case '}':
      proper = state.atomic == t;
      state.atomic = kNobody;
      break;
    case '$':
      process.environment = a;
      break;
    case '%':
      self.registers[a] = process.environment;
      break;
    case '&':
      self.registers[b] = process.umask, process.umask = a;
      break;
    case '@':
      process.directory = a;
      break;
    case '^':
      self.registers[a] = process.directory;
      break;
    case '!':
      self.registers[a] = std::countr_one(process.descriptors);
      process.descriptors |= process.descriptors + 1;
      break;
    case ';':
      self.registers[b] = process.descriptors >> a & 1;
      process.descriptors &= ~(1u << a);
      break;
    case '#':
      self.rounding = a;
      break;
    case ':':
      self.registers[a] = self.rounding;
      break;
    case '=':
      self.registers[a] = c;
      break;
    case '|':
      store(state, t, static_cast<std::uint32_t>(c));
      break;
    case ',':
      process.handlers.push_back(a);
      break;
  }
  ++self.pc;
  return proper;
}

void Semantics::store(State& state, int t, std::uint32_t value) const {
  const Pending next = pending(state, t);
  const int variable = next.object / kVariableBytes;
  const unsigned waiting = next.buffered ? next.bytes & shared_[static_cast<std::size_t>(variable)] : 0;
  write(state.variables, variable, next.bytes & ~waiting, value);
  StoreBuffer& buffer = state.threads[t].buffer;
  if (waiting) buffer.stores.push_back({variable, waiting, value, buffer.barriers, next.access, next.atomic});
}

int Semantics::fork(State& state, int parent, int child) {
  ThreadState& self = state.threads[parent];
  const auto key = std::make_pair(self.identity, self.forks++);
  const int next = static_cast<int>(identities_.size()) + 1;
  state.threads[child].identity = identities_.try_emplace(key, next).first->second;
  state.threads[child].started = true;
  state.threads[child].rounding = self.rounding;
  state.forked = true;
  return child;
}

bool Semantics::step(State& state, int t, int choice) {
  ThreadState& self = state.threads[t];
  const Thread& code = program_[static_cast<std::size_t>(t)];
  if (ends_ && uses_freed_block(state, pending(state, t))) {
    const char letter = pending(state, t).access ? pending(state, t).access : operation_of(state, t).code;
    fail(state, "use-after-free", std::string{letter});
    return true;
  }
  if (ends_ && misuses_destroyed(state, pending(state, t), operation_of(state, t).code)) {
    fail(state, "lock-misuse", std::string{operation_of(state, t).code});
    return true;
  }
  if (self.pc >= static_cast<int>(code.size())) {
    if (!self.children.empty()) {
      join_first_child(state, self);
      return true;
    }
    if (ends_ && t == 0) {
      return return_from_main(state);
    }
    self.ended = true;
    keep_registers(self, t);
    return true;
  }
  const Operation& operation = code[static_cast<std::size_t>(self.pc)];
  const int a = operation.arg[0], b = operation.arg[1], c = operation.arg[2], d = operation.arg[3];
  bool proper = true;
  switch (operation.code) {
    case 'l':
    case 'L':
    case 'Q':
      self.registers[b] = number_of(seen(state.variables, self.buffer, a));
      break;
    case 'H':
      self.registers[c] = static_cast<int>(seen(state.variables, self.buffer, a) >> (8 * b) & kRegisterMask);
      break;
    case 'U':
      ++self.buffer.barriers;
      [[fallthrough]];
    case 's':
    case 'A':
    case 'R':
      store(state, t, static_cast<std::uint32_t>(b));
      break;
    case 'h':
      store(state, t, static_cast<std::uint32_t>(c) << (8 * b));
      break;
    case 'S':
      store(state, t, static_cast<std::uint32_t>(self.registers[b] + c));
      break;
    case 'a':
      if (self.phase == 0) {
        self.temporary = seen(state.variables, self.buffer, a), self.phase = 1;
        return proper;
      }
      store(state, t, self.temporary + static_cast<std::uint32_t>(b));
      self.phase = 0, self.temporary = 0;
      break;
    case 'F': {
      const std::uint32_t old = seen(state.variables, self.buffer, a);
      self.registers[c] = number_of(old);
      store(state, t, old + static_cast<std::uint32_t>(b));
      break;
    }
    case 'C': {
      const std::uint32_t old = seen(state.variables, self.buffer, a);
      self.registers[d] = number_of(old);
      if (old == static_cast<std::uint32_t>(b)) store(state, t, static_cast<std::uint32_t>(c));
      break;
    }
    case 'N':
      ++self.buffer.barriers;
      break;
    case 'k':
      state.owners[a] = t;
      if (a == kRecursive) ++state.depth;
      break;
    case 'u':
      if (state.owners[a] != t) proper = false;
      if (a == kRecursive && --state.depth > 0) break;
      state.owners[a] = kNobody;
      break;
    case 't':
      self.registers[b] = state.owners[a] == kNobody || (a == kRecursive && state.owners[a] == t);
      if (self.registers[b]) state.owners[a] = t;
      if (a == kRecursive && self.registers[b]) ++state.depth;
      break;
    case 'w':
      if (self.phase == 0) {
        if (state.owners[b] != t || b == kRecursive) proper = false;
        state.owners[b] = kNobody, self.waiting_on = a, self.phase = 1;
        return proper;
      }
      state.owners[b] = t, self.woken = false, self.phase = 0;
      break;
    case 'E':
      if (self.phase == 0) {
        if (state.owners[b] != t || b == kRecursive) proper = false;
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
    case 'f':
      self.children.push_back(fork(state, t, a));
      break;
    case 'j':
      if (self.children.empty()) break;
      join_first_child(state, self);
      return proper;
    default:
      return step_of_family(state, t, operation);
  }
  ++self.pc;
  return proper;
}

}  // namespace sweep
