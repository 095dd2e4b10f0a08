#include "explore/seeds.h"

#include <algorithm>
#include <map>
#include <set>

namespace plait {

std::vector<Choice> schedule_of(const solve::CausalModel& model, const solve::Answer& answer) {
  std::vector<Choice> steps;
  for (const solve::Answer::Move& move : answer.order) {
    const solve::Step& step = model.steps()[move.step];
    if (step.operation.op == Op::Flush)  // its position says which store
      steps.push_back({kChosenStep, buffer_of(step.thread), 0, step.position});
    else if (step.is_point)
      steps.push_back(
          {move.chosen ? kChosenStep : kPlainStep, step.thread, move.chosen ? move.arg : u16{0}, step.position});
  }
  return steps;
}

namespace {

constexpr u32 kTurns = 64;
constexpr u64 kUnknownResult = 0x756e6b6e6f776e21;

u64 after(u64 history, const solve::Step& step, u128 result) {
  u64 mixed =
      (history ^ static_cast<u64>(result) ^ static_cast<u64>(result >> 64)) * 0x9e3779b97f4a7c15ull + step.position;
  return (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9ull;
}

/// What each step's thread has received before it, by step.
std::vector<u64> histories_before(const solve::CausalModel& model) {
  std::vector<u64> before(model.steps().size());
  for (u32 t = 0; t < model.threads(); ++t) {
    u64 history = t;
    for (u32 k = 0; k < model.length(t); ++k) {
      const u32 number = model.number(t, k);
      before[number] = history;
      if (model.steps()[number].is_read) history = after(history, model.steps()[number], model.steps()[number].result);
    }
  }
  return before;
}

/// From which step on each thread goes round.
std::vector<u32> loops(const solve::CausalModel& model, bool states) {
  std::vector<u32> begin;
  for (u32 t = 0; t < model.threads(); ++t) {
    std::set<std::pair<u64, u64>> seen;
    std::map<std::pair<u32, u64>, u32> turns;  // by place and result
    u32 k = 0;
    for (; k < model.length(t); ++k) {
      const solve::Step& step = model.step(t, k);
      if (!step.is_read) continue;
      const bool known = states && (step.state_low | step.state_high);
      if (known && !seen.insert({step.state_low, step.state_high}).second) break;
      if (++turns[{step.operation.site, static_cast<u64>(step.result)}] > kTurns) break;
    }
    begin.push_back(k);
  }
  return begin;
}

/// How many steps of each thread must happen before this one, whatever the schedule: its own, and by forks and joins.
Commitments happen_before(const solve::CausalModel& model, u32 read) {
  Commitments before(model.threads(), 0);
  before[model.steps()[read].thread] = model.steps()[read].index;
  for (bool grew = true; grew;) {
    grew = false;
    const auto reach = [&](u32 thread, u32 steps) {
      if (thread >= before.size() || before[thread] >= steps) return;
      before[thread] = steps;
      grew = true;
    };
    for (const solve::Step& step : model.steps()) {
      const u32 other = static_cast<u32>(step.operation.location);
      if (step.operation.op == Op::Fork && other < before.size() && before[other] > 0) reach(step.thread, step.index);
      if (step.operation.op == Op::Join && step.index < before[step.thread]) reach(other, model.length(other));
    }
  }
  return before;
}

solve::Query query_of(const solve::CausalModel& model, u32 read, u128 result, const Commitments& committed,
                      Before before) {
  if (!model.dependence()) return solve::changed_read(model, read, result, committed);
  Commitments kept = before == Before::Keep ? happen_before(model, read) : Commitments();
  solve::Query query = solve::changed_read(model, read, result, Commitments(model.threads(), 0));
  query.relaxed = true;
  query.kept = std::move(kept);
  return query;
}

u64 mixed(u64 hash, u64 word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

/// Of the first steps of a thread, with their results; `changed`, if it is one of them, has another one.
u64 hash_of_steps(const solve::CausalModel& model, u32 thread, u32 steps, u32 changed, u128 result) {
  u64 hash = thread;
  for (u32 k = 0; k < steps; ++k) {
    const solve::Step& step = model.step(thread, k);
    const u128 value = k == changed ? result : step.result;
    hash = mixed(mixed(hash, static_cast<u64>(step.operation.op)), step.operation.location);
    hash = mixed(mixed(hash, static_cast<u64>(value)), static_cast<u64>(value >> 64));
  }
  return hash;
}

constexpr u32 kNone = ~0u;
constexpr u64 kNothing = 0;  // of what a seed promises

/// `relaxed`: nothing of what other threads receive; of the thread itself the predictions say it.
std::vector<u64> promise_of(const solve::CausalModel& model, const Seed& seed, bool relaxed) {
  std::vector<u64> promised;
  for (u32 t = 0; t < seed.commitments.size(); ++t)
    promised.push_back(
        relaxed ? kNothing
                : hash_of_steps(model, t, seed.commitments[t], t == seed.thread ? seed.index : kNone, seed.result));
  return promised;
}

/// What a run of the seed must show. Its thread may receive something else before the read that changes, even what
/// nobody can tell: then it counts as new, but one run is enough for all that is alike as far as anybody can tell. As
/// published, MCR-S knows of no other traces at all.
void predict(Seed& seed, const std::shared_ptr<const solve::CausalModel>& trace, const solve::Query& query,
             const solve::Answer& answer, bool forgets_known) {
  const solve::CausalModel& model = *trace;
  seed.model = trace;
  seed.predicted = solve::predictions(model, query, answer);
  bool known = forgets_known || !query.kept.empty();
  u64 history = seed.thread;
  for (const solve::Prediction& predicted : seed.predicted) {
    const solve::Step& step = model.steps()[predicted.step];
    if (step.thread != seed.thread || !step.is_read) continue;
    known = known && predicted.known;
    history = after(history, step, predicted.known ? predicted.result : u128{kUnknownResult});
  }
  seed.history = known ? history : 0;
  seed.guess = known || !forgets_known ? 0 : history;
}

bool shows(const Seed& seed, const solve::CausalModel& trace) {
  for (const solve::Prediction& predicted : seed.predicted) {
    const solve::Step& was = seed.model->steps()[predicted.step];
    if (was.operation.op == Op::Flush) continue;
    if (was.thread >= trace.threads() || was.index >= trace.length(was.thread)) return false;
    const solve::Step& is = trace.step(was.thread, was.index);
    if (is.operation.op != was.operation.op || is.operation.location != was.operation.location ||
        is.position != was.position || (predicted.known && is.result != predicted.result) ||
        (predicted.brings_same && is.operand != was.operand))
      return false;
  }
  return true;
}

}  // namespace

std::vector<Seed> seeds_of(const std::shared_ptr<const solve::CausalModel>& trace, const Commitments& commitments,
                           bool states, solve::Solver& solver, const std::atomic<bool>& stop, Before kept,
                           const IsNew& is_new) {
  const solve::CausalModel& model = *trace;
  std::vector<Seed> seeds;
  const std::vector<u64> before = histories_before(model);
  const std::vector<u32> looping = loops(model, states);
  Commitments committed = commitments;
  committed.resize(model.threads(), 0);
  for (u32 t = 0; t < model.threads(); ++t) committed[t] = std::min(committed[t], model.length(t));
  for (u32 number = 0; number < model.steps().size(); ++number) {
    const solve::Step& read = model.steps()[number];
    if (!read.is_read || read.index < committed[read.thread] || read.index >= looping[read.thread]) continue;
    for (const u128 result : model.other_results(number)) {
      if (stop.load(std::memory_order_relaxed)) return {};
      const bool known = !model.dependence() || kept == Before::Keep;  // what the thread receives before
      if (known && is_new && !is_new(after(before[number], read, result))) continue;
      const solve::Query query = query_of(model, number, result, committed, kept);
      solve::Answer answer = solver.solve(model, query);
      if (answer.verdict != solve::Answer::Verdict::Sat) continue;
      solve::shorten(model, query, answer);
      Seed seed;
      seed.steps = schedule_of(model, answer);
      seed.commitments = committed;
      seed.commitments[read.thread] = read.index + 1;
      seed.thread = read.thread;
      seed.index = read.index;
      seed.result = result;
      seed.history = after(before[number], read, result);
      seed.last = model.step(read.thread, model.length(read.thread) - 1).position;
      seed.promised = promise_of(model, seed, query.relaxed);
      if (query.relaxed) predict(seed, trace, query, answer, states);
      seed.null = result == 0 && read.operation.size == 8 && read.result >= 4096;
      seeds.push_back(std::move(seed));
    }
    committed[read.thread] = read.index + 1;
  }
  // The last ones will run first: pointers that become null, of each thread the first one; before them, reads as they
  // came.
  std::vector<u32> last(model.threads(), 0);
  for (u32 number = 0; number < model.steps().size(); ++number)
    if (model.steps()[number].is_read) last[model.steps()[number].thread] = number;
  std::sort(seeds.begin(), seeds.end(), [&](const Seed& a, const Seed& b) {
    if (a.null != b.null) return b.null;
    const u32 x = model.number(a.thread, a.index), y = model.number(b.thread, b.index);
    if (x == y) return a.result < b.result;
    if (!a.null) return x < y;
    return a.thread != b.thread ? last[a.thread] < last[b.thread] : a.index > b.index;
  });
  return seeds;
}

std::vector<u64> histories_of(const solve::CausalModel& model) {
  const std::vector<u64> before = histories_before(model);
  std::vector<u64> all;
  for (u32 i = 0; i < model.steps().size(); ++i)
    if (model.steps()[i].is_read) all.push_back(after(before[i], model.steps()[i], model.steps()[i].result));
  return all;
}

bool keeps(const Seed& seed, const solve::CausalModel& trace) {
  if (!seed.predicted.empty()) return shows(seed, trace);
  for (u32 t = 0; t < seed.commitments.size(); ++t) {
    const u32 steps = seed.commitments[t];
    if (steps == 0 || seed.promised[t] == kNothing) continue;
    if (t >= trace.threads() || steps > trace.length(t)) return false;
    if (hash_of_steps(trace, t, steps, kNone, 0) != seed.promised[t]) return false;
  }
  return true;
}

}  // namespace plait
