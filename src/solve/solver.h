// A question about the order of a trace's events, and who answers it.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "solve/causal_model.h"

namespace plait::solve {

/// Is there an order in which every thread performs at least `required` of its steps, at most `limit`, each possible
/// and with the result that it had in the trace, but for one, whose result is to be another one?
struct Query {
  std::vector<u32> required, limit;  // per thread
  u32 changed = CausalModel::kNone;  // number of that step: the last that its thread performs
  u128 result = 0;
};

/// Every thread may perform all that it did in the trace, nothing is required.
Query everything(const CausalModel& model);
/// Step `read` is to return `result`; `required` of the others.
Query changed_read(const CausalModel& model, u32 read, u128 result, std::vector<u32> required);
/// Both steps are to be next, with nothing in between: 000 §3.3.
Query adjacent(const CausalModel& model, u32 one, u32 other);

struct Answer {
  enum class Verdict { Sat, Unsat, Unknown } verdict = Verdict::Unknown;
  struct Move {
    u32 step;  // number
    u16 arg;   // choice of a step that has one
    bool chosen;
  };
  std::vector<Move> order;  // Sat: steps to perform, from the start
};

struct SolverOptions {
  std::chrono::microseconds timeout{std::chrono::seconds(10)};  // per query
  std::optional<std::chrono::steady_clock::time_point> end;     // of all of them
  /// When a query that is asked now is to be given up.
  std::chrono::steady_clock::time_point deadline() const {
    const auto own = std::chrono::steady_clock::now() + timeout;
    return end && *end < own ? *end : own;
  }
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual Answer solve(const CausalModel& model, const Query& query) = 0;
};

std::unique_ptr<Solver> make_order_solver(const SolverOptions& options = {});
/// `incremental`: the constraints of a trace are stated once, queries are assumptions. Else each query starts from
/// nothing.
std::unique_ptr<Solver> make_z3_solver(const SolverOptions& options = {}, bool incremental = true);

/// The query as SMT-LIB 2 (QF_IDL with Booleans); its satisfiability is the query's.
std::string smt_lib(const CausalModel& model, const Query& query);

/// The order leaves out what nothing depends on: steps at the ends of threads beyond what is required.
void shorten(const CausalModel& model, const Query& query, Answer& answer);

}  // namespace plait::solve
