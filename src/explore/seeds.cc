#include "explore/seeds.h"

#include <algorithm>
#include <map>
#include <set>

namespace plait {

std::vector<Choice> schedule_of(const solve::CausalModel& model, const solve::Answer& answer) {
  std::vector<Choice> steps;
  for (const solve::Answer::Move& move : answer.order) {
    const solve::Step& step = model.steps()[move.step];
    if (step.is_point) steps.push_back({move.chosen ? kChosenStep : kPlainStep, step.thread, move.chosen ? move.arg : u16{0}, step.position});
  }
  return steps;
}

namespace {

constexpr u32 kTurns = 64;

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

std::vector<Seed> seeds_of(const std::shared_ptr<const solve::CausalModel>& trace, const Commitments& commitments, bool states,
                           solve::Solver& solver) {
  const solve::CausalModel& model = *trace;
  std::vector<Seed> seeds;
  const std::vector<u32> looping = loops(model, states);
  Commitments committed = commitments;
  committed.resize(model.threads(), 0);
  for (u32 t = 0; t < model.threads(); ++t) committed[t] = std::min(committed[t], model.length(t));
  for (u32 number = 0; number < model.steps().size(); ++number) {
    const solve::Step& read = model.steps()[number];
    if (!read.is_read || read.index < committed[read.thread] || read.index >= looping[read.thread]) continue;
    for (const u128 result : model.other_results(number)) {
      const solve::Query query = solve::changed_read(model, number, result, committed);
      solve::Answer answer = solver.solve(model, query);
      if (answer.verdict != solve::Answer::Verdict::Sat) continue;
      solve::shorten(model, query, answer);
      Seed seed{trace, schedule_of(model, answer), committed, read.thread, read.index, result, false};
      seed.commitments[read.thread] = read.index + 1;
      seed.null = result == 0 && read.operation.size == 8 && read.result >= 4096;
      seeds.push_back(std::move(seed));
    }
    committed[read.thread] = read.index + 1;
  }
  return seeds;
}

bool keeps(const Seed& seed, const solve::CausalModel& trace) {
  for (u32 t = 0; t < seed.commitments.size(); ++t) {
    if (seed.commitments[t] == 0) continue;
    if (t >= trace.threads() || seed.commitments[t] > trace.length(t)) return false;
    for (u32 k = 0; k < seed.commitments[t]; ++k) {
      const solve::Step &was = seed.model->step(t, k), &is = trace.step(t, k);
      const u128 result = t == seed.thread && k == seed.index ? seed.result : was.result;
      if (is.operation.op != was.operation.op || is.operation.location != was.operation.location || is.result != result) return false;
    }
  }
  return true;
}

}  // namespace plait
