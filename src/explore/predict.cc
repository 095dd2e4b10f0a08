#include "explore/predict.h"

#include <algorithm>

#include "machine/dependence.h"

namespace plait {
namespace {

/// Does the step access memory? A buffered store does so when it is flushed.
bool is_access(const solve::Step& step) { return machine::is_access(step.operation.op) && !step.is_buffered; }

/// Who performs it, as schedules name it.
ThreadId actor_of(const solve::Step& step) {
  return step.operation.op == Op::Flush ? buffer_of(step.thread) : step.thread;
}

/// Mutexes and write locks that the thread holds in front of each of its steps, and a hash of its history. A flush has
/// those of its store: locking and unlocking drain the buffer.
struct Situation {
  std::vector<u32> locks;
  u64 history;
};

std::vector<Situation> situations(const solve::CausalModel& model) {
  std::vector<Situation> result(model.steps().size());
  for (u32 t = 0; t < model.threads(); ++t) {
    Situation now{{}, t};
    for (u32 k = 0; k < model.length(t); ++k) {
      const u32 number = model.number(t, k);
      const solve::Step& step = model.steps()[number];
      result[number] = now;
      if (step.is_buffered) result[model.flush_of(number)] = now;
      const machine::HoldChange change = machine::hold_change(step.operation.op, static_cast<u64>(step.result));
      const u32 lock = change.of_second ? step.operation.object2 : step.operation.object;
      if (change.kind == machine::HoldChange::Takes && !change.shares) now.locks.push_back(lock);
      if (change.kind == machine::HoldChange::Gives) std::erase(now.locks, lock);
      now.history =
          (now.history * 0x9e3779b97f4a7c15ull ^ static_cast<u64>(step.result)) * 0xbf58476d1ce4e5b9ull + step.position;
    }
  }
  return result;
}

}  // namespace

std::vector<PredictedRace> RacePredictor::predict(const solve::CausalModel& model, solve::Solver& solver) {
  std::vector<PredictedRace> races;
  const std::vector<solve::Step>& steps = model.steps();
  const std::vector<Situation> before = situations(model);
  std::vector<std::vector<u32>> by_cell(model.cells().size());
  for (u32 i = 0; i < steps.size(); ++i)
    if (is_access(steps[i])) by_cell[steps[i].first_cell].push_back(i);
  for (const std::vector<u32>& accesses : by_cell)
    for (size_t i = 0; i < accesses.size(); ++i)
      for (size_t k = i + 1; k < accesses.size(); ++k) {
        const solve::Step &a = steps[accesses[i]], &b = steps[accesses[k]];
        if (a.thread == b.thread || !machine::is_race(a.operation, b.operation)) continue;
        const std::pair<u32, u32> sites = std::minmax(a.operation.site, b.operation.site);
        if (found_.contains(sites)) continue;
        const Situation &x = before[accesses[i]], &y = before[accesses[k]];
        if (std::find_first_of(x.locks.begin(), x.locks.end(), y.locks.begin(), y.locks.end()) != x.locks.end())
          continue;
        if (!looked_at_.insert({x.history, y.history}).second) continue;
        const solve::Query query = solve::adjacent(model, accesses[i], accesses[k]);
        solve::Answer answer = solver.solve(model, query);
        if (answer.verdict != solve::Answer::Verdict::Sat) continue;
        solve::shorten(model, query, answer);
        found_.insert(sites);
        const Claim claim{Claim::Race, actor_of(a), actor_of(b), 0, a.operation.site, b.operation.site};
        races.push_back({sites.first, sites.second, {schedule_of(model, answer), claim}});
      }
  return races;
}

}  // namespace plait
