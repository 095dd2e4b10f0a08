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

}  // namespace

std::vector<Seed> seeds_of(const std::shared_ptr<const solve::CausalModel>& trace, const Commitments& commitments,
                           bool states, solve::Solver& solver, const std::atomic<bool>& stop) {
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
      const solve::Query query = solve::changed_read(model, number, result, committed);
      solve::Answer answer = solver.solve(model, query);
      if (answer.verdict != solve::Answer::Verdict::Sat) continue;
      solve::shorten(model, query, answer);
      Seed seed{trace, schedule_of(model, answer),         committed, read.thread, read.index, result,
                false, after(before[number], read, result)};
      seed.commitments[read.thread] = read.index + 1;
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
  for (u32 t = 0; t < seed.commitments.size(); ++t) {
    if (seed.commitments[t] == 0) continue;
    if (t >= trace.threads() || seed.commitments[t] > trace.length(t)) return false;
    for (u32 k = 0; k < seed.commitments[t]; ++k) {
      const solve::Step &was = seed.model->step(t, k), &is = trace.step(t, k);
      const u128 result = t == seed.thread && k == seed.index ? seed.result : was.result;
      if (is.operation.op != was.operation.op || is.operation.location != was.operation.location || is.result != result)
        return false;
    }
  }
  return true;
}

}  // namespace plait
