// Long because it has a case for each operation of the sweep: one place to compare with the rules.
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
  for (int i = 0; i < kAllSemaphores; ++i) state.semaphores[i] = i % kSemaphores;
  std::fill(std::begin(state.pointers), std::end(state.pointers), kNobody);
  state.threads[0].started = true;
  return state;
}

namespace {

/// The operation at which a thread stands; its end joins its children, too.
constexpr Operation kEnd = {'j', {}};

int number_of(std::uint32_t value) { return static_cast<int>((value ^ value >> 8) & kRegisterMask); }

/// The bytes of its variable that an access touches.
unsigned bytes_of(const Operation& operation) {
  return std::strchr("Hh", operation.code) ? 1u << operation.arg[1] : kAllBytes;
}

/// The bytes of a struct; 0: no access to one.
unsigned struct_bytes_of(char code) {
  return code == 'I' ? 0x01 : code == 'J' ? 0xf0 : std::strchr("KZ_", code) ? 0xff : 0;
}

void set(Struct& object, unsigned bytes, int value) {
  if (bytes & 0x01) object.first = value;
  if (bytes & 0xf0) object.second = value;
}

/// What the thread sees in a struct, past its own buffer.
Struct seen_struct(const State& state, int t, int number) {
  Struct object = state.structs[number];
  for (const BufferedStore& store : state.threads[t].buffer.stores)
    if (store.variable == kCells + number) set(object, store.bytes, static_cast<int>(store.value));
  return object;
}

bool is_atomic(char code) { return std::strchr("LQAFCRUO<", code); }

/// What changes state of the process does, too: the library or the system takes a lock.
bool drains_always(char code) { return std::strchr("AFCMkutwErxzBgbPWTfd>(n{}pYmDO$&@!;,", code); }

}  // namespace

void flush(State& state, int t, std::size_t place) {
  StoreBuffer& buffer = state.threads[t].buffer;
  const BufferedStore store = buffer.stores[place];
  if (store.variable < kCells) return flush(state.variables, buffer, place);
  set(state.structs[store.variable - kCells], store.bytes, static_cast<int>(store.value));
  buffer.stores.erase(buffer.stores.begin() + static_cast<std::ptrdiff_t>(place));
}

std::string death_of(const State& state, int object) {
  const auto in_freed_block = [&](int number, int first) {
    return number >= first && number < first + kBlocks && state.freed[number - first];
  };
  bool freed = false;
  if (object == kNobody) return "";
  if (object < kFirstMutex) {
    const int variable = object / kVariableBytes;
    if (variable >= kFirstLocal && state.dead[variable]) return "use-after-scope";
    freed = state.dead[variable] || in_freed_block(variable, kVariables);
  } else if (object < kFirstCondition) {
    freed = in_freed_block(object - kFirstMutex, kMutexes);
  } else if (object < kFirstSemaphore) {
    freed = in_freed_block(object - kFirstCondition, kConditions);
  } else if (object < kFirstRwLock) {
    freed = in_freed_block(object - kFirstSemaphore, kSemaphores);
  }
  return freed ? "use-after-free" : "";
}

static std::string death_of(const State& state, const Pending& next) {
  const std::string death = death_of(state, next.object);
  return death.empty() ? death_of(state, next.object2) : death;
}

/// The variable that the thread is about to access, or kNobody.
int Semantics::variable_of(const State& state, int t, const Operation& operation) const {
  const ThreadState& self = state.threads[t];
  switch (operation.code) {
    case 'c':
    case 'v': return self.phase ? static_cast<int>(self.temporary) : kNobody;
    case 'O': return self.phase == 1 ? operation.arg[0] : kNobody;
    case '<': return self.phase >= 1 && self.phase <= operation.arg[1] ? 0 : kNobody;
    case '[':
    case ']': return kFirstLocal + t;
    default: return std::strchr("lLQsASFCaRU|)Hh", operation.code) ? operation.arg[0] : kNobody;
  }
}

Operation Semantics::operation_of(const State& state, int t) const {
  const Thread& code = program_[static_cast<std::size_t>(t)];
  const std::size_t pc = static_cast<std::size_t>(state.threads[t].pc);
  return pc < code.size() ? code[pc] : kEnd;
}

Pending Semantics::pending(const State& state, int t) const {
  Pending next = pending_among_the_living(state, t);
  // Nobody waits for what is gone: who still uses it fails.
  if (ends_ && !death_of(state, next).empty()) next.enabled = true;
  return next;
}

Pending Semantics::pending_among_the_living(const State& state, int t) const {
  const ThreadState& self = state.threads[t];
  const bool at_end = self.pc >= static_cast<int>(program_[static_cast<std::size_t>(t)].size());
  const Operation operation = operation_of(state, t);
  const int a = operation.arg[0], b = operation.arg[1];
  Pending result;
  result.drains =
      drains_always(operation.code) || (operation.code == 'G' && self.phase) || (operation.code == 'q' && t != 0);
  if (const unsigned bytes = struct_bytes_of(operation.code)) {
    result.object = kFirstStruct + a, result.bytes = bytes;
    result.access = operation.code, result.write = std::strchr("IJK", operation.code);
    result.buffered = model_ != MemoryModel::SC && state.forked && result.write;
    return result;
  }
  if (const int variable = variable_of(state, t, operation); variable != kNobody) {
    const unsigned bytes = bytes_of(operation);
    result.object = variable * kVariableBytes, result.bytes = bytes;
    result.access = operation.code, result.atomic = is_atomic(operation.code);
    result.write = std::strchr("sASFCRUh|v]O", operation.code);
    if (operation.code == 'a' && self.phase == 1) result.write = true, result.access = '+';
    result.buffered = model_ != MemoryModel::SC && state.forked && result.write && !result.drains &&
                      (bytes & shared_[static_cast<std::size_t>(variable)]);
    return result;
  }
  switch (operation.code) {
    case 'k':
      result.object = kFirstMutex + a, result.awaits = state.owners[a];
      result.enabled = state.owners[a] == kNobody || (a == kRecursive && state.owners[a] == t);
      break;
    case '(': result.enabled = state.threads[a].ended || !state.threads[a].started, result.awaits = a; break;
    case 'u':
    case 't':
    case 'Y': result.object = kFirstMutex + a; break;
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
    case 'z': result.object = kFirstRwLock + a; break;
    case 'B':
      result.object = kFirstBarrier + a;
      result.enabled = self.phase == 0 || !(state.arrived[a] >> t & 1);
      break;
    case 'g':
    case 'b': result.object = kFirstCondition + a; break;
    case 'W': result.object = kFirstSemaphore + a, result.enabled = state.semaphores[a] > 0; break;
    case 'P':
    case 'T': result.object = kFirstSemaphore + a; break;
    case 'O':
      result.enabled = state.statics[a].builder == kNobody || state.statics[a].builder == t;
      result.awaits = state.statics[a].builder;
      break;
    case 'j':
      // The end of main is that of the whole program and loses what is buffered.
      result.drains = !self.children.empty() || (at_end && t != 0);
      result.output = self.children.empty() && at_end && t == 0;
      if (!self.children.empty() && !state.threads[self.children[0]].ended)
        result.enabled = false, result.awaits = self.children[0];
      break;
    default: break;
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
    case 'C': return seen(state.variables, self.buffer, a);
    case 'H': return seen(state.variables, self.buffer, a) >> (8 * operation.arg[1]) & 0xff;
    case 'a': return self.phase == 0 ? Result(seen(state.variables, self.buffer, a)) : std::nullopt;
    case 'j': return self.children.empty() ? std::nullopt : Result(state.threads[self.children[0]].returned);
    case 't': return state.owners[a] == kNobody || (a == kRecursive && state.owners[a] == t);
    case 'T': return state.semaphores[a] > 0;
    case 'B': return self.phase == 0 ? Result(state.arrived[a] != 0) : std::nullopt;
    case 'E': return self.phase == 1 ? Result(!self.woken) : std::nullopt;
    default: return {};
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

std::string text_of_handler(int handler) {
  return handler < kFirstDestructor ? "h" + std::to_string(handler) + "\n"
                                    : "s" + std::to_string(handler - kFirstDestructor) + "\n";
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
  process.output += text_of_handler(process.handlers.back());
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
    case '>': fork(state, t, a); break;
    case '(':
      proper = state.threads[a].started;
      self.returned |= state.threads[a].returned;
      break;
    case 'n':
      if (state.freed[a]) fail(state, "double-free", "n");
      state.freed[a] = true;
      state.freed_alone[a] = !state.forked;
      break;
    case 'Y': state.destroyed[a] = true; break;
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
    case '$': process.environment = a; break;
    case '%': self.registers[a] = process.environment; break;
    case '&': self.registers[b] = process.umask, process.umask = a; break;
    case '@': process.directory = a; break;
    case '^': self.registers[a] = process.directory; break;
    case '!':
      self.registers[a] = std::countr_one(process.descriptors);
      process.descriptors |= process.descriptors + 1;
      break;
    case ';':
      self.registers[b] = process.descriptors >> a & 1;
      process.descriptors &= ~(1u << a);
      break;
    case '#': self.rounding = a; break;
    case ':': self.registers[a] = self.rounding; break;
    case '=': self.registers[a] = c; break;
    case '|': store(state, t, static_cast<std::uint32_t>(c)); break;
    case ')': self.registers[c] = number_of(seen(state.variables, self.buffer, a)); break;
    case ',': process.handlers.push_back(a); break;
    default: return step_of_memory(state, t, operation);
  }
  ++self.pc;
  return proper;
}

/// Pointers, statics, structs and local variables. Most are several steps.
bool Semantics::step_of_memory(State& state, int t, const Operation& operation) {
  ThreadState& self = state.threads[t];
  const int a = operation.arg[0], b = operation.arg[1];
  const auto go_on = [&](int phase) {
    self.phase = phase;
    return true;
  };
  switch (operation.code) {
    case 'm': {
      const int cell = heap_cell_of(program_, static_cast<std::size_t>(t), static_cast<std::size_t>(self.pc));
      state.variables[static_cast<std::size_t>(cell)] = static_cast<std::uint32_t>(b);
      state.pointers[a] = cell;
      break;
    }
    case 'c':
    case 'v':
    case 'D':
    case 'G':
      if (self.phase == 0) {
        const int cell = state.pointers[a];
        if (operation.code == 'D') state.pointers[a] = kNobody;
        if (cell == kNobody) {
          if (operation.code == 'c') self.registers[b] = kRegisterMask;
          break;
        }
        self.temporary = static_cast<std::uint32_t>(cell);
        return go_on(1);
      }
      if (operation.code == 'c')
        self.registers[b] = number_of(seen(state.variables, self.buffer, static_cast<int>(self.temporary)));
      if (operation.code == 'v') store(state, t, static_cast<std::uint32_t>(b));
      if (operation.code == 'D' || operation.code == 'G') {
        if (state.dead[self.temporary]) fail(state, "double-free", std::string{operation.code});
        state.dead[self.temporary] = true;
      }
      break;
    case 'O': {
      Static& object = state.statics[a];
      if (self.phase == 0 && !object.built) {
        object.builder = t;
        return go_on(1);
      }
      if (self.phase == 1) {
        object.value = number_of(state.variables[static_cast<std::size_t>(a)] + 1);
        store(state, t, state.variables[static_cast<std::size_t>(a)] + 1);
        return go_on(2);
      }
      if (self.phase == 2) {
        object.builder = kNobody, object.built = true;
        state.process.handlers.push_back(kFirstDestructor + a);
      }
      self.registers[b] = object.value;
      break;
    }
    case 'I':
    case 'J':
    case 'K': {
      const unsigned bytes = struct_bytes_of(operation.code);
      if (pending(state, t).buffered)
        self.buffer.stores.push_back(
            {kCells + a, bytes, static_cast<std::uint32_t>(b), self.buffer.barriers, operation.code, false});
      else
        set(state.structs[a], bytes, b);
      break;
    }
    case 'Z':
    case '_': {
      const Struct object = seen_struct(state, t, a);
      self.registers[b] = (object.first + object.second) & kRegisterMask;
      break;
    }
    case '<':
      if (self.phase == 0) self.children.push_back(fork(state, t, a));
      if (self.phase <= b) return go_on(self.phase + 1);
      state.dead[kFirstLocal + a] = true;
      break;
    case '[': self.registers[a] = number_of(seen(state.variables, self.buffer, kFirstLocal + t)); break;
    case ']': store(state, t, static_cast<std::uint32_t>(a)); break;
  }
  self.phase = 0, self.temporary = 0;
  ++self.pc;
  return true;
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
  if (const std::string death = ends_ ? death_of(state, pending(state, t)) : ""; !death.empty()) {
    const char letter = pending(state, t).access ? pending(state, t).access : operation_of(state, t).code;
    fail(state, death.c_str(), std::string{letter});
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
    case 'Q': self.registers[b] = number_of(seen(state.variables, self.buffer, a)); break;
    case 'H':
      self.registers[c] = static_cast<int>(seen(state.variables, self.buffer, a) >> (8 * b) & kRegisterMask);
      break;
    case 'U': ++self.buffer.barriers; [[fallthrough]];
    case 's':
    case 'A':
    case 'R': store(state, t, static_cast<std::uint32_t>(b)); break;
    case 'h': store(state, t, static_cast<std::uint32_t>(c) << (8 * b)); break;
    case 'S': store(state, t, static_cast<std::uint32_t>(self.registers[b] + c)); break;
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
    case 'N': ++self.buffer.barriers; break;
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
    case 'P': ++state.semaphores[a]; break;
    case 'W': --state.semaphores[a]; break;
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
    case 'f': self.children.push_back(fork(state, t, a)); break;
    case 'j':
      if (self.children.empty()) break;
      join_first_child(state, self);
      return proper;
    default: return step_of_family(state, t, operation);
  }
  ++self.pc;
  return proper;
}

}  // namespace sweep
