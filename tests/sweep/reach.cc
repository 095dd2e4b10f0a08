#include "reach.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "happens_before.h"
#include "semantics.h"
#include "state_key.h"

namespace sweep {
namespace {

constexpr std::uint64_t kOrders = 10;  // states with their clocks, for one without

class Search {
 public:
  Search(const Program& program, std::uint64_t limit, MemoryModel model)
      : program_(program), limit_(limit), model_(model), semantics_(program, model, everything_, true) {
    everything_.fill(kAllBytes);
  }

  Reachable run() {
    number_of(semantics_.start());
    for (std::size_t i = 0; i < states_.size() && !result_.misuse && !result_.exceeded; ++i) expand(i);
    if (result_.misuse || result_.exceeded) return result_;
    result_.states = states_.size();
    if (orders_without_handing_on(program_) || !result_.races.empty()) {
      const auto unordered = unordered_accesses(program_, kOrders * limit_, model_);
      result_.races_known = unordered.has_value();
      for (const auto& [one, other] : unordered.value_or(std::set<std::pair<char, char>>()))
        result_.races.insert(std::string{one, other});
    }
    look_for_livelocks();
    count_paths();
    return result_;
  }

 private:
  const Program& program_;
  const std::uint64_t limit_;
  const MemoryModel model_;
  Bytes everything_{};
  Semantics semantics_;
  Reachable result_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<State> states_;
  std::vector<bool> deadlocked_;  // threads wait for each other: whatever the others do, that is what is wrong
  std::vector<std::vector<std::size_t>> successors_;

  std::size_t number_of(State state) {
    run_alone(state);
    const auto [place, fresh] = numbers_.try_emplace(Key(state).text, states_.size());
    if (fresh) {
      states_.push_back(std::move(state));
      successors_.emplace_back();
      if (states_.size() > limit_) result_.exceeded = true;
    }
    return place->second;
  }

  char code_of(const State& state, int t) const {
    const Thread& code = program_[static_cast<std::size_t>(t)];
    const std::size_t pc = static_cast<std::size_t>(state.threads[t].pc);
    return pc < code.size() ? code[pc].code : 'j';
  }

  /// Whether the next step concerns nobody but the thread, and does not end anything.
  bool is_own(const State& state, int t) const {
    const char code = code_of(state, t);
    if (std::strchr("?oyi=#:", code)) return true;
    if (code != 'V' && code != 'X') return false;
    const Operation& operation = program_[static_cast<std::size_t>(t)][static_cast<std::size_t>(state.threads[t].pc)];
    return (state.threads[t].registers[operation.arg[0]] == operation.arg[1]) == (code == 'V');
  }

  void run_alone(State& state) {
    for (int t = 0; t < kThreads; ++t)
      while (alive(state, t) && is_own(state, t)) semantics_.step(state, t, kNobody);
  }

  bool may_move(const State& state, int t) const {
    return alive(state, t) && (state.atomic == kNobody || state.atomic == t);
  }

  void expand(std::size_t number) {
    const State state = states_[number];
    if (state.process.end == End::None) look_for_races(state);
    deadlocked_.push_back(state.process.end == End::None && has_a_cycle(state));
    if (deadlocked_.back()) result_.bugs.insert("deadlock");
    if (state.process.end != End::None) return finish(state);
    bool stepped = false;
    for (int t = 0; t < kThreads; ++t) {
      if (!may_move(state, t)) continue;
      for (const std::size_t place : flushable(state.threads[t].buffer, model_)) {
        State successor = state;
        flush_store(successor, t, place);
        go(number, successor), stepped = true;
      }
      if (!Semantics::can_step(state, t, semantics_.pending(state, t))) continue;
      for (const int choice : semantics_.choices(state, t)) {
        State successor = state;
        if (!semantics_.step(successor, t, choice)) result_.misuse = true;
        go(number, successor), stepped = true;
      }
    }
    if (!stepped) finish(state);
  }

  /// What a buffer holds fails, too, once its memory is gone.
  void flush_store(State& state, int t, std::size_t place) {
    const BufferedStore& store = state.threads[t].buffer.stores[place];
    const std::string death = death_of(state, object_of(store));
    if (!death.empty()) {
      state.process.end = End::Failure;
      state.process.failure = death + "@" + store.access;
      return;
    }
    flush(state, t, place);
  }

  void go(std::size_t from, const State& to) {
    const std::size_t number = number_of(to);
    successors_[from].push_back(number);
  }

  void finish(const State& state) {
    switch (state.process.end) {
      case End::Failure: result_.bugs.insert(state.process.failure); return;
      case End::Cut: return;
      case End::Normal: result_.outcomes.insert(state.process.output); return;
      case End::None: break;
    }
    for (int t = 0; t < kThreads; ++t)
      if (alive(state, t)) {
        result_.bugs.insert("deadlock");
        return;
      }
    std::string output = state.process.output;
    for (std::size_t i = state.process.handlers.size(); i-- > 0;) output += text_of_handler(state.process.handlers[i]);
    result_.outcomes.insert(output);
  }

  bool has_a_cycle(const State& state) const {
    for (int t = 0; t < kThreads; ++t)
      if (alive(state, t) && waits_in_a_cycle(state, t)) return true;
    return false;
  }

  /// Accesses that race.
  void look_for_races(const State& state) {
    const std::vector<Access> accesses = about_to_happen(state);
    for (const Access& one : accesses)
      for (const Access& other : accesses) {
        if (one.thread >= other.thread || one.object != other.object || !(one.bytes & other.bytes)) continue;
        if (!(one.write || other.write) || (one.atomic && other.atomic)) continue;
        const auto [first, second] = std::minmax(one.letter, other.letter);
        result_.races.insert(std::string{first, second});
      }
  }

  bool waits_in_a_cycle(const State& state, int t) const {
    int at = t;
    for (int hops = 0; hops < kThreads; ++hops) {
      if (!alive(state, at)) return false;
      const Pending next = semantics_.pending(state, at);
      if (next.enabled || next.awaits == kNobody || !state.threads[at].buffer.stores.empty()) return false;
      at = next.awaits;
      if (at == t) return true;
    }
    return false;
  }

  struct Access {
    int thread, object;
    unsigned bytes;
    bool write, atomic;
    char letter;
  };

  std::vector<Access> about_to_happen(const State& state) const {
    std::vector<Access> accesses;
    for (int t = 0; t < kThreads; ++t) {
      if (!alive(state, t)) continue;
      const Pending next = semantics_.pending(state, t);
      if (next.access && !next.buffered && Semantics::can_step(state, t, next) && !is_nobodys(state, next.object))
        accesses.push_back({t, next.object, next.bytes, next.write, next.atomic, next.access});
      for (const std::size_t place : flushable(state.threads[t].buffer, model_)) {
        const BufferedStore& store = state.threads[t].buffer.stores[place];
        accesses.push_back({t, object_of(store), store.bytes, true, store.atomic, store.access});
      }
    }
    return accesses;
  }

  static bool is_nobodys(const State& state, int object) {
    const int block = object / kVariableBytes - kVariables;
    return block >= 0 && block < kBlocks && state.freed_alone[block];
  }

  void look_for_livelocks() {
    std::vector<std::vector<std::size_t>> predecessors(states_.size());
    std::vector<bool> ends(states_.size());
    std::vector<std::size_t> work;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      for (const std::size_t next : successors_[i]) predecessors[next].push_back(i);
      if (successors_[i].empty() || deadlocked_[i]) ends[i] = true, work.push_back(i);
    }
    while (!work.empty()) {
      const std::size_t at = work.back();
      work.pop_back();
      for (const std::size_t before : predecessors[at])
        if (!ends[before]) ends[before] = true, work.push_back(before);
    }
    if (std::find(ends.begin(), ends.end(), false) != ends.end()) result_.bugs.insert("livelock");
  }

  /// Topological order, from the start; 0 paths if there is none.
  void count_paths() {
    std::vector<std::size_t> missing(states_.size());
    for (const auto& next : successors_)
      for (const std::size_t to : next) ++missing[to];
    std::vector<std::uint64_t> paths(states_.size());
    std::vector<std::size_t> order = {0};
    if (missing[0]) return;
    paths[0] = 1;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t at = order[i];
      if (successors_[at].empty()) total += paths[at];
      for (const std::size_t to : successors_[at]) {
        paths[to] = std::min<std::uint64_t>(paths[to] + paths[at], std::uint64_t{1} << 40);
        if (--missing[to] == 0) order.push_back(to);
      }
    }
    if (order.size() == states_.size()) result_.paths = total;
  }
};

}  // namespace

Reachable reach(const Program& program, std::uint64_t limit, MemoryModel model) {
  return Search(program, limit, model).run();
}

}  // namespace sweep
