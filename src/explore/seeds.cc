#include "explore/seeds.h"

#include <algorithm>

namespace plait {

std::vector<Choice> schedule_of(const solve::CausalModel& model, const solve::Answer& answer) {
  std::vector<Choice> steps;
  for (const solve::Answer::Move& move : answer.order) {
    const solve::Step& step = model.steps()[move.step];
    if (step.is_point) steps.push_back({move.chosen ? kChosenStep : kPlainStep, step.thread, move.chosen ? move.arg : u16{0}, step.position});
  }
  return steps;
}

std::vector<Seed> seeds_of(const solve::CausalModel& model, const Commitments& commitments, solve::Solver& solver) {
  std::vector<Seed> seeds;
  Commitments committed = commitments;
  committed.resize(model.threads(), 0);
  for (u32 t = 0; t < model.threads(); ++t) committed[t] = std::min(committed[t], model.length(t));
  for (u32 number = 0; number < model.steps().size(); ++number) {
    const solve::Step& read = model.steps()[number];
    if (!read.is_read || read.index < committed[read.thread]) continue;
    for (const u128 result : model.other_results(number)) {
      const solve::Query query = solve::changed_read(model, number, result, committed);
      solve::Answer answer = solver.solve(model, query);
      if (answer.verdict != solve::Answer::Verdict::Sat) continue;
      solve::shorten(model, query, answer);
      Seed seed{schedule_of(model, answer), committed, read.thread, read.index, result, false};
      seed.commitments[read.thread] = read.index + 1;
      seed.null = result == 0 && read.operation.size == 8 && read.result >= 4096;
      seeds.push_back(std::move(seed));
    }
    committed[read.thread] = read.index + 1;
  }
  return seeds;
}

bool is_followed(const Seed& seed, const solve::CausalModel& model) {
  return seed.thread < model.threads() && seed.index < model.length(seed.thread) &&
         model.step(seed.thread, seed.index).result == seed.result;
}

}  // namespace plait
