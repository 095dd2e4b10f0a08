#include "explore/counted_solver.h"

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "machine/operation.h"
#include "machine/traits.h"

namespace plait {

CountedSolver::CountedSolver(const ExploreOptions& options, Counters& counters)
    : counters_(counters), options_(options) {
  solve::SolverOptions limits;
  limits.timeout = std::chrono::microseconds(static_cast<i64>(options.solver_seconds * 1e6));
  limits.end = options.end;
  solver_ = options.z3 ? solve::make_z3_solver(limits) : solve::make_order_solver(limits);
}

namespace {

bool writes(const solve::CausalModel& model, u32 number) {
  const solve::Step& step = model.steps()[number];
  return machine::is_write(step.operation.op) && !step.is_buffered;
}

/// Counts as in 002, Table 2: reads that must return what they did, and for each the writes that it is compared with.
void count_reads(const solve::CausalModel& model, const solve::Query& query, Counters& counters) {
  std::vector<u32> writes_of(model.cells().size(), 0);
  for (u32 i = 0; i < model.steps().size(); ++i)
    for (u32 cell = model.steps()[i].first_cell; writes(model, i) && cell < model.steps()[i].last_cell; ++cell)
      ++writes_of[cell];
  u64 reads = 0, constraints = 0;
  for (u32 i = 0; i < model.steps().size(); ++i) {
    const solve::Step& step = model.steps()[i];
    const bool needed = step.sequence < query.required.size() && step.index < query.required[step.sequence];
    if (!needed || !step.is_read || !machine::is_read(step.operation.op) || query.can_change(model, i)) continue;
    ++reads;
    for (u32 cell = step.first_cell; cell < step.last_cell; ++cell) constraints += writes_of[cell];
  }
  counters.reads.fetch_add(reads, std::memory_order_relaxed);
  counters.constraints.fetch_add(constraints, std::memory_order_relaxed);
}

}  // namespace

void count_query(Counters& counters, std::optional<bool> answer, std::chrono::steady_clock::time_point begin) {
  const auto took = static_cast<u64>(std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
  counters.solver_nanoseconds.fetch_add(took, std::memory_order_relaxed);
  u64 slowest = counters.slowest_query_nanoseconds.load(std::memory_order_relaxed);
  while (took > slowest && !counters.slowest_query_nanoseconds.compare_exchange_weak(slowest, took)) {
  }
  counters.queries.fetch_add(1, std::memory_order_relaxed);
  std::atomic<u64>& kind = !answer ? counters.unknown : *answer ? counters.sat : counters.unsat;
  kind.fetch_add(1, std::memory_order_relaxed);
}

solve::Answer CountedSolver::solve(const solve::CausalModel& model, const solve::Query& query) {
  const auto begin = std::chrono::steady_clock::now();
  const solve::Answer answer = solver_->solve(model, query);
  count_reads(model, query, counters_);
  const bool is_known = answer.verdict != solve::Answer::Verdict::Unknown;
  const bool sat = answer.verdict == solve::Answer::Verdict::Sat;
  const u64 number = counters_.queries.load(std::memory_order_relaxed);
  count_query(counters_, is_known ? std::optional(sat) : std::nullopt, begin);
  if (!options_.dump_queries.empty()) dump(model, query, number);
  if (options_.query_observer) options_.query_observer(model, query);
  return answer;
}

void CountedSolver::dump(const solve::CausalModel& model, const solve::Query& query, u64 number) {
  std::filesystem::create_directories(options_.dump_queries);
  const std::string name = options_.dump_queries + "/query-" + std::to_string(number + 1) + ".smt2";
  std::ofstream file(name);
  file << solve::smt_lib(model, query);
  if (!file.flush()) throw Error(kExitUsage, "cannot write " + name);
}

}  // namespace plait
