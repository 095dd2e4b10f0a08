#include "happens_before.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "semantics.h"
#include "state_key.h"

namespace sweep {
namespace {

// Of each thread: up to which of its epochs its accesses are known. An epoch ends when the thread hands on what it
// knows; a loop that only reads goes round in one.
using Clock = std::array<std::uint8_t, kThreads>;

void join(Clock& clock, const Clock& other) {
  for (std::size_t t = 0; t < kThreads; ++t) clock[t] = std::max(clock[t], other[t]);
}

struct Message {
  Clock clock{};
  int head = kNobody;  // who began the release sequence
};

struct Access {
  int thread, object;
  unsigned bytes;
  bool write, atomic;
  char letter;
  auto operator<=>(const Access&) const = default;
};

/// What is known to whom.
struct Knowledge {
  Clock threads[kThreads]{}, fences[kThreads]{}, read[kThreads]{};
  Message messages[kCells * kVariableBytes];
  Clock objects[kObjects]{};
  Clock section{};
  std::vector<Clock> carried[kThreads];     // by the stores that wait in the buffers
  std::map<Access, std::uint8_t> accesses;  // the last of each kind

  Knowledge() {
    for (std::size_t t = 0; t < kThreads; ++t) threads[t][t] = 1;
  }

  std::string text() const {
    std::string all;
    const auto add = [&](const Clock& clock) { all.append(clock.begin(), clock.end()); };
    for (const auto* clocks : {threads, fences, read})
      for (std::size_t t = 0; t < kThreads; ++t) add(clocks[t]);
    for (const Message& message : messages) add(message.clock), all += static_cast<char>(message.head);
    for (const Clock& clock : objects) add(clock);
    add(section);
    for (const auto& stores : carried) {
      all += static_cast<char>(stores.size());
      for (const Clock& clock : stores) add(clock);
    }
    for (const auto& [access, epoch] : accesses) {
      all += static_cast<char>(access.thread), all += static_cast<char>(access.object), all += access.letter;
      all += static_cast<char>(access.bytes), all += static_cast<char>(epoch);
    }
    return all;
  }
};

class Search {
 public:
  Search(const Program& program, std::uint64_t limit, MemoryModel model)
      : program_(program), limit_(limit), model_(model), semantics_(program, model, everything_, true) {
    everything_.fill(kAllBytes);
  }

  std::optional<std::set<std::pair<char, char>>> run() {
    for (const Thread& thread : program_)
      for (const Operation& operation : thread)
        if (!std::strchr("lLQsASaFCRUMNHhkutwEgbrxzBPWT?oyi~fjVXeqpd>({}Y", operation.code)) return {};
    go(semantics_.start(), {});
    while (!todo_.empty()) {
      if (seen_.size() > limit_ || too_many_epochs_) return {};
      const auto [state, known] = std::move(todo_.back());
      todo_.pop_back();
      if (state.process.end == End::None) expand(state, known);
    }
    return races_;
  }

 private:
  const Program& program_;
  const std::uint64_t limit_;
  const MemoryModel model_;
  Bytes everything_{};
  Semantics semantics_;
  std::unordered_set<std::string> seen_;
  std::vector<std::pair<State, Knowledge>> todo_;
  std::set<std::pair<char, char>> races_;
  bool too_many_epochs_ = false;

  /// What the thread does from now on is not known to those to whom it has handed on its clock.
  void end_epoch(Knowledge& known, int t) {
    auto& epoch = known.threads[t][static_cast<std::size_t>(t)];
    if (++epoch == 0) too_many_epochs_ = true;
  }

  void go(State state, Knowledge known) {
    if (seen_.insert(Key(state).text + known.text()).second) todo_.emplace_back(std::move(state), std::move(known));
  }

  void expand(const State& state, const Knowledge& known) {
    for (int t = 0; t < kThreads; ++t) {
      if (!alive(state, t) || (state.atomic != kNobody && state.atomic != t)) continue;
      for (const std::size_t place : flushable(state.threads[t].buffer, model_)) {
        State next = state;
        Knowledge then = known;
        const BufferedStore& store = state.threads[t].buffer.stores[place];
        write(then, t, object_of(store), store.bytes, then.carried[t][place], store.access);
        then.carried[t].erase(then.carried[t].begin() + static_cast<std::ptrdiff_t>(place));
        flush(next, t, place);
        go(std::move(next), std::move(then));
      }
      if (!Semantics::can_step(state, t, semantics_.pending(state, t))) continue;
      for (const int choice : semantics_.choices(state, t)) {
        State next = state;
        Knowledge then = known;
        follow(then, state, t);
        semantics_.step(next, t, choice);
        go(std::move(next), std::move(then));
      }
    }
  }

  Operation operation_of(const State& state, int t) const {
    const Thread& code = program_[static_cast<std::size_t>(t)];
    const auto pc = static_cast<std::size_t>(state.threads[t].pc);
    return pc < code.size() ? code[pc] : Operation{'j', {}};
  }

  void note_access(Knowledge& known, int t, const Pending& next) {
    Clock& own = known.threads[t];
    const Access access{t, next.object, next.bytes, next.write, next.atomic, next.access};
    for (const auto& [other, epoch] : known.accesses) {
      if (other.thread == t || other.object != access.object || !(other.bytes & access.bytes)) continue;
      if (!(other.write || access.write) || (other.atomic && access.atomic)) continue;
      if (epoch > own[static_cast<std::size_t>(other.thread)]) races_.insert(std::minmax(access.letter, other.letter));
    }
    known.accesses[access] = own[static_cast<std::size_t>(t)];
  }

  /// A store reaches memory, with what it hands on.
  static void write(Knowledge& known, int t, int object, unsigned bytes, const Clock& clock, char code) {
    if (object >= kFirstMutex) return;  // structs hand on nothing
    for (int i = 0; i < kVariableBytes; ++i) {
      if (!(bytes >> i & 1)) continue;
      Message& message = known.messages[object + i];
      const bool goes_on = code == 'F' || code == 'C' || (code == 'R' && message.head == t);
      if (!goes_on) message = {{}, t};
      join(message.clock, clock);
    }
  }

  static Clock message(const Knowledge& known, const Pending& next) {
    Clock clock{};
    for (int i = 0; i < kVariableBytes; ++i)
      if (next.bytes >> i & 1) join(clock, known.messages[next.object + i].clock);
    return clock;
  }

  void follow_access(Knowledge& known, const State& state, int t, const Pending& next, const Operation& operation) {
    note_access(known, t, next);
    const char code = operation.code;
    const std::uint32_t value = seen(state.variables, state.threads[t].buffer, operation.arg[0]);
    const auto& stores = state.threads[t].buffer.stores;
    const bool forwarded = std::any_of(stores.begin(), stores.end(), [&](const BufferedStore& store) {
      return store.variable == operation.arg[0] && (store.bytes & next.bytes);
    });
    if (std::strchr("LQFC", code) && !forwarded)
      join(code == 'Q' ? known.read[t] : known.threads[t], message(known, next));
    if (!next.write || (code == 'C' && value != operation.arg[1])) return;
    Clock clock{};
    if (std::strchr("AUFC", code)) clock = known.threads[t];
    if (std::strchr("AUFCR", code)) join(clock, known.fences[t]);
    if (next.buffered)
      known.carried[t].push_back(clock);
    else
      write(known, t, next.object, next.bytes, clock, code);
    if (std::strchr("AUFC", code)) end_epoch(known, t);
  }

  void follow(Knowledge& known, const State& state, int t) {
    const Pending next = semantics_.pending(state, t);
    const Operation operation = operation_of(state, t);
    const ThreadState& self = state.threads[t];
    Clock& own = known.threads[t];
    if (next.access) return follow_access(known, state, t, next, operation);
    const auto takes = [&](int object) { join(own, known.objects[object]); };
    const auto gives = [&](int object) { join(known.objects[object], own), end_epoch(known, t); };
    const auto both = [&](int object) { takes(object), gives(object); };
    switch (operation.code) {
      case 'M': join(own, known.read[t]), known.fences[t] = own, end_epoch(known, t); break;
      case 'N': known.fences[t] = own, end_epoch(known, t); break;
      case 'k':
      case 'x': both(next.object); break;
      case 't':
        takes(next.object);
        if (*semantics_.result(state, t)) gives(next.object);
        break;
      case 'w': both(next.object), both(next.object2); break;
      case 'E':
        if (self.phase == 1 && !self.woken) {
          takes(next.object), takes(next.object2);
          break;
        }
        both(next.object);
        if (next.object2 != kNobody) both(next.object2);
        break;
      case 'u':
      case 'z':
      case 'g':
      case 'b':
      case 'P': gives(next.object); break;
      case 'r':
      case 'W':
      case 'T': takes(next.object); break;
      case 'B': self.phase == 0 ? both(next.object) : takes(next.object); break;  // who is last does not wait
      case 'f':
      case 'd':
      case '>': join(known.threads[forked_by(operation)], own), end_epoch(known, t); break;
      case '(': join(own, known.threads[operation.arg[0]]); break;
      case 'j':
        if (!self.children.empty()) join(own, known.threads[self.children[0]]);
        break;
      case '{': join(own, known.section); break;
      case '}': join(known.section, own), end_epoch(known, t); break;
      default: break;
    }
  }
};

}  // namespace

bool orders_without_handing_on(const Program& program) {
  for (const Thread& thread : program)
    for (const Operation& operation : thread)
      if (std::strchr("QRY~", operation.code)) return true;
  return false;
}

std::optional<std::set<std::pair<char, char>>> unordered_accesses(const Program& program, std::uint64_t limit,
                                                                  MemoryModel model) {
  return Search(program, limit, model).run();
}

}  // namespace sweep
