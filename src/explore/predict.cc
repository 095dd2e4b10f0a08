#include "explore/predict.h"

#include <algorithm>

namespace plait {
namespace {

/// Does the step access memory? A buffered store does so when it is flushed.
bool is_access(const solve::Step& step) {
  const Op op = step.operation.op;
  return op == Op::Load || (op == Op::Store && !step.is_buffered) || op == Op::Flush || op == Op::Rmw || op == Op::Cas;
}

/// Who performs it, as schedules name it.
ThreadId actor_of(const solve::Step& step) {
  return step.operation.op == Op::Flush ? buffer_of(step.thread) : step.thread;
}

bool is_race(const machine::Operation& a, const machine::Operation& b) {
  if (!machine::is_write(a.op) && !machine::is_write(b.op)) return false;
  if (a.order > Order::Volatile && b.order > Order::Volatile) return false;
  return a.location < b.location + b.size && b.location < a.location + a.size;
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
      const u32 object = step.operation.object;
      switch (step.operation.op) {
        case Op::Lock:
        case Op::TryLock:
        case Op::TimedLock:
        case Op::WriteLock:
        case Op::TryWriteLock:
        case Op::TimedWriteLock:
        case Op::Reacquire:
          if (step.result == 0) now.locks.push_back(object);
          break;
        case Op::CondWake:
          if (step.result == 0) now.locks.push_back(step.operation.object2);
          break;
        case Op::Unlock:
        case Op::RwUnlock:
          std::erase(now.locks, object);
          break;
        case Op::CondWait:
          std::erase(now.locks, step.operation.object2);
          break;
        default:
          break;
      }
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
        if (a.thread == b.thread || !is_race(a.operation, b.operation)) continue;
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
        PredictedRace race{sites.first, sites.second, schedule_of(model, answer)};
        race.steps.push_back({kChosenStep, actor_of(a), static_cast<u16>(kRaceWith | actor_of(b)), kNextPoint});
        races.push_back(std::move(race));
      }
  return races;
}

}  // namespace plait
