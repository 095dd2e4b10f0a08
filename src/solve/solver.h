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
  /// Reads that nothing performed depends on may return anything, by the model's dependence; per thread, the first
  /// `kept` ones of its steps may not.
  bool relaxed = false;
  std::vector<u32> kept;
  u32 target = CausalModel::kNone;  // this step never may

  /// May this step of the model return anything else than it did?
  bool can_change(const CausalModel& model, u32 number) const {
    if (!relaxed || number == changed || number == target) return false;
    const Step& step = model.steps()[number];
    return step.is_read && model.dependence()->can_change(number, step.index) &&
           (kept.empty() || step.index >= kept[step.thread]);
  }
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

/// What a run of the order must show: the steps with their operations and places, ...
struct Prediction {
  u32 step;
  bool known;        // ... what they return, where that is known ...
  bool brings_same;  // ... and what they bring, if it is what it was
  u128 result;
};
std::vector<Prediction> predictions(const CausalModel& model, const Query& query, const Answer& answer);

/// The order leaves out what nothing depends on: steps at the ends of threads beyond what is required.
void shorten(const CausalModel& model, const Query& query, Answer& answer);

}  // namespace plait::solve
