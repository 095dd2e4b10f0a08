// Our own solver for orders: what must be (must_orders.h) first, then a depth-first search over the states that the
// model's steps lead through.
//
// The search tries steps in the observed order first, so a satisfiable query is mostly answered by one descent. Every
// state is expanded once; states are compared in full, as a hash alone could make a wrong "unsatisfiable". Where the
// next steps of some threads conflict with nothing that others may still do, only those threads are tried (persistent
// sets); where a thread that must get on cannot, and nobody can change that, the state is left.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "solve/must_orders.h"
#include "solve/simulation.h"

namespace plait::solve {
namespace {

/// States in full, found by hash.
class Visited {
 public:
  void reset(u32 bytes) {
    bytes_ = bytes;
    states_.clear();
    slots_.assign(256, kFree);
    count_ = 0;
  }
  /// Its number, and whether it is new.
  std::pair<u32, bool> add(const u8* state) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    size_t slot = XXH3_64bits(state, bytes_) & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1))
      if (std::memcmp(at(slots_[slot]), state, bytes_) == 0) return {slots_[slot], false};
    slots_[slot] = count_;
    states_.insert(states_.end(), state, state + bytes_);
    return {count_++, true};
  }
  const u8* at(u32 number) const { return states_.data() + static_cast<size_t>(number) * bytes_; }
  size_t memory() const { return states_.size(); }

 private:
  static constexpr u32 kFree = 0xffffffff;
  void grow() {
    std::vector<u32> old(slots_.size() * 2, kFree);
    old.swap(slots_);
    for (const u32 number : old) {
      if (number == kFree) continue;
      size_t slot = XXH3_64bits(at(number), bytes_) & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }
  u32 bytes_ = 0, count_ = 0;
  std::vector<u8> states_;
  std::vector<u32> slots_;
};

/// What each thread may still touch, its buffers included, and each buffer, by position. Resources: cells, then
/// objects.
class Reach {
 public:
  void build(const CausalModel& model, const Query& query) {
    const u32 resources = static_cast<u32>(model.cells().size() + model.initial_objects().size());
    words_ = (resources + 63) / 64;
    begin_.clear();
    u32 rows = 0;
    for (u32 s = 0; s < model.sequences(); ++s) {
      begin_.push_back(rows);
      rows += query.limit[s] + 1;
    }
    own_.assign(static_cast<size_t>(rows) * 2 * words_, 0);
    future_ = own_;
    everything_.assign(rows, 0);
    const u32 objects = static_cast<u32>(model.cells().size());
    for (u32 t = 0; t < model.sequences(); ++t)
      for (u32 k = query.limit[t]; k-- > 0;) {
        const Step& step = model.step(t, k);
        const Op op = step.operation.op;
        u64* own = row(own_, t, k);
        const bool write = machine::is_write(op) || op == Op::Alloc;
        for (u32 cell = step.first_cell; cell < step.last_cell; ++cell) set(own + (write ? words_ : 0), cell);
        if (machine::is_sync(op)) {
          set(own + words_, objects + step.operation.object);
          if (step.operation.object2) set(own + words_, objects + step.operation.object2);
        }
        const bool all = op == Op::Exit || op == Op::Assume || op == Op::AtomicBegin;
        everything_[begin_[t] + k] = static_cast<u8>(everything_[begin_[t] + k + 1] | all);
        u64* future = row(future_, t, k);
        const u64* later = row(future_, t, k + 1);
        for (u32 w = 0; w < 2 * words_; ++w) future[w] = own[w] | later[w];
        if (!step.is_buffered) continue;
        const Step& flush = model.steps()[model.flush_of(model.number(t, k))];
        for (u32 cell = flush.first_cell; cell < flush.last_cell; ++cell) set(future + words_, cell);
      }
  }
  /// Does the order of the step at this position and of what another sequence may still do matter? A thread and its own
  /// buffers do not: a load gets the same from the buffer as from memory right after the flush.
  bool conflicts(u32 thread, u32 position, u32 other, u32 other_position, bool one_owner) const {
    if (everything_[begin_[thread] + position] || everything_[begin_[other] + other_position]) return true;
    if (one_owner) return false;
    const u64* own = own_.data() + static_cast<size_t>(begin_[thread] + position) * 2 * words_;
    const u64* future = future_.data() + static_cast<size_t>(begin_[other] + other_position) * 2 * words_;
    for (u32 w = 0; w < words_; ++w)
      if ((own[w] & future[words_ + w]) | (own[words_ + w] & (future[w] | future[words_ + w]))) return true;
    return false;
  }

 private:
  u64* row(std::vector<u64>& of, u32 thread, u32 position) {
    return of.data() + static_cast<size_t>(begin_[thread] + position) * 2 * words_;
  }
  static void set(u64* bits, u32 index) { bits[index / 64] |= u64{1} << (index % 64); }
  u32 words_ = 0;
  std::vector<u32> begin_;
  std::vector<u64> own_, future_;
  std::vector<u8> everything_;
};

class OrderSolver : public Solver {
 public:
  explicit OrderSolver(const SolverOptions& options) : options_(options) {}

  Answer solve(const CausalModel& model, const Query& asked) override {
    Answer answer;
    Query query = asked;
    saturated_ = model.steps().size() <= kLargestSaturated;
    if (saturated_) {
      if (!must_.saturate(model, query)) {
        answer.verdict = Answer::Verdict::Unsat;
        return answer;
      }
      query.required = must_.required();
    }
    reach_.build(model, query);
    const Simulation simulation(model, query);
    visited_.reset(simulation.bytes());
    path_.clear();
    search(model, simulation, query, answer);
    return answer;
  }

 private:
  // Beyond, the table of orders is larger than a search that mostly runs straight.
  static constexpr size_t kLargestSaturated = 600;
  static constexpr size_t kMostBytes = size_t{1} << 30;

  struct Candidate {
    u32 order;  // observed number of the step
    u32 sequence;
    u32 live;  // its index in live_
    u16 arg;
    bool chosen;
  };
  struct Level {
    u32 state;
    std::vector<Candidate> candidates;  // best last
    std::vector<Answer::Move> moves;    // how it was reached
  };

  void search(const CausalModel& model, const Simulation& simulation, const Query& query, Answer& answer) {
    const auto deadline = options_.deadline();
    std::vector<u8> state(simulation.bytes());
    simulation.initial(state.data());
    if (!enter(model, simulation, query, state.data(), {}, answer)) return;
    u32 expanded = 0;
    while (!path_.empty()) {
      if ((++expanded & 255) == 0 && (std::chrono::steady_clock::now() > deadline || visited_.memory() > kMostBytes))
        return;
      Level& top = path_.back();
      if (top.candidates.empty()) {
        path_.pop_back();
        continue;
      }
      const Candidate next = top.candidates.back();
      top.candidates.pop_back();
      std::memcpy(state.data(), visited_.at(top.state), simulation.bytes());
      if (!simulation.try_step(state.data(), next.sequence, next.arg)) continue;
      if (!enter(model, simulation, query, state.data(), {{next.order, next.arg, next.chosen}}, answer)) return;
    }
    answer.verdict = Answer::Verdict::Unsat;
  }

  /// Goes on as long as there is one way only. False: found.
  bool enter(const CausalModel& model, const Simulation& simulation, const Query& query, u8* state,
             std::vector<Answer::Move> moves, Answer& answer) {
    for (;;) {
      const auto [number, fresh] = visited_.add(state);
      if (!fresh) return true;
      if (simulation.is_goal(state)) {
        answer.verdict = Answer::Verdict::Sat;
        for (const Level& level : path_)
          answer.order.insert(answer.order.end(), level.moves.begin(), level.moves.end());
        answer.order.insert(answer.order.end(), moves.begin(), moves.end());
        return false;
      }
      next_.clear();
      if (!expand(model, simulation, query, state, next_) || next_.empty()) return true;
      if (next_.size() > 1) {
        path_.push_back({number, next_, std::move(moves)});
        return true;
      }
      if (!simulation.try_step(state, next_[0].sequence, next_[0].arg)) return true;
      moves.push_back({next_[0].order, next_[0].arg, next_[0].chosen});
    }
  }

  /// False: a thread that must get on never will.
  bool expand(const CausalModel& model, const Simulation& simulation, const Query& query, const u8* state,
              std::vector<Candidate>& to) {
    find_live(model, simulation, state);
    std::vector<Candidate>& all = candidates_;
    all.clear();
    u64 enabled = 0;  // bits: indices in live_
    for (u32 i = 0; i < live_.size(); ++i) {
      const u32 s = live_[i];
      if (saturated_ && comes_too_early(model, simulation, state, s)) continue;
      const u32 number = simulation.next_number(state, s);
      ThreadSet args = simulation.choices(state, s);
      if (!args) {
        if (!simulation.can_step(state, s, trial_)) continue;
        all.push_back({number, s, i, 0, false});
      }
      // Which of them returns what it must is found out when it is tried.
      for (; args; args &= args - 1) all.push_back({number, s, i, lowest(args), true});
      if (i < 64) enabled |= u64{1} << i;
    }
    u64 best = enabled;
    if (live_.size() <= 64 && !simulation.in_atomic_section(state)) {
      for (u32 seed = 0; seed < live_.size(); ++seed) {
        const u64 closed = closure(model, simulation, state, seed);
        if (!(closed & enabled)) {
          // Nobody inside can step, nobody outside can change that.
          for (u64 set = closed; set; set &= set - 1)
            if (const u32 s = live_[lowest(set)]; simulation.position(state, s) < query.required[s]) return false;
          continue;
        }
        if (count(closed & enabled) < count(best)) best = closed & enabled;
      }
    }
    for (const Candidate& candidate : all)
      if (live_.size() > 64 || (best >> candidate.live & 1)) to.push_back(candidate);
    std::sort(to.begin(), to.end(), [](const Candidate& a, const Candidate& b) { return a.order > b.order; });
    return true;
  }

  /// Threads with steps left, and buffers with something in them.
  void find_live(const CausalModel& model, const Simulation& simulation, const u8* state) {
    live_.clear();
    for (u32 s = 0; s < model.sequences(); ++s) {
      if (!simulation.has_next(state, s)) continue;
      if (model.is_buffer(s)) {
        const Need& store = model.needs(simulation.next_number(state, s)).front();
        if (simulation.position(state, store.sequence) < store.count) continue;
      }
      live_.push_back(s);
    }
  }

  /// Must something else come before the next step?
  bool comes_too_early(const CausalModel& model, const Simulation& simulation, const u8* state, u32 sequence) const {
    for (const u32 first : must_.first(simulation.next_number(state, sequence))) {
      const Step& step = model.steps()[first];
      if (simulation.position(state, step.sequence) <= step.index) return true;
    }
    return false;
  }

  /// Those of live_ that matter to the next step of `seed`, and to theirs.
  u64 closure(const CausalModel& model, const Simulation& simulation, const u8* state, u32 seed) const {
    u64 closed = u64{1} << seed, todo = closed;
    while (todo) {
      const u32 member = live_[lowest(todo)];
      todo &= todo - 1;
      const u32 at = simulation.position(state, member);
      const u32 number = model.number(member, at);
      const Step& step = model.steps()[number];
      const u32 forked_by = at == 0 && !model.is_buffer(member) && model.fork_of(member) != CausalModel::kNone
                                ? model.steps()[model.fork_of(member)].sequence
                                : CausalModel::kNone;
      auto is_awaited = [&](u32 other) {
        if (step.operation.op == Op::Join && step.operation.location == other) return true;
        if (other == forked_by) return true;
        if (model.needs_room(number) && model.is_buffer(other) && model.owner(other) == step.thread) return true;
        for (const Need& need : model.needs(number))
          if (need.sequence == other && simulation.position(state, other) < need.count) return true;
        return false;
      };
      for (u32 i = 0; i < live_.size(); ++i) {
        if (closed >> i & 1) continue;
        const u32 other = live_[i];
        if (!is_awaited(other) && !reach_.conflicts(member, at, other, simulation.position(state, other),
                                                    model.owner(member) == model.owner(other)))
          continue;
        closed |= u64{1} << i;
        todo |= u64{1} << i;
      }
    }
    return closed;
  }

  SolverOptions options_;
  MustOrders must_;
  bool saturated_ = false;
  Reach reach_;
  Visited visited_;
  std::vector<Level> path_;
  std::vector<u8> trial_;
  std::vector<u32> live_;
  std::vector<Candidate> candidates_, next_;
};

}  // namespace

std::unique_ptr<Solver> make_order_solver(const SolverOptions& options) {
  return std::make_unique<OrderSolver>(options);
}

}  // namespace plait::solve
