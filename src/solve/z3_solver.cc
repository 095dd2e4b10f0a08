// Z3 as a solver for orders: difference logic, in process, the constraints of a trace stated once and queries asked by
// assumptions.
//
// Where the encoding has necessary conditions only, a solution is performed on the machine; if a step fails, the order
// of the steps that led to it is ruled out and Z3 is asked again.
#include "solve/simulation.h"
#include "solve/z3_encoding.h"

namespace plait::solve {
namespace {

constexpr u32 kMostRefinements = 5000;

/// Performs the steps in this order, trying all choices. Returns how many could be performed, and the moves.
class Performance {
 public:
  Performance(const CausalModel& model, const Query& query, const std::vector<u32>& order)
      : model_(model), simulation_(model, query), order_(order) {}

  bool run(std::vector<Answer::Move>& moves) {
    std::vector<u8> state(simulation_.bytes());
    simulation_.initial(state.data());
    moves_.clear();
    if (!from(state, 0)) return false;
    moves = moves_;
    return true;
  }
  size_t furthest() const { return furthest_; }
  bool chose() const { return chose_; }  // some step had a choice

 private:
  bool from(const std::vector<u8>& start, size_t index) {
    furthest_ = std::max(furthest_, index);
    std::vector<u8> state = start;
    const size_t size = moves_.size();
    for (; index < order_.size(); ++index) {
      furthest_ = std::max(furthest_, index);
      const u32 sequence = model_.steps()[order_[index]].sequence;
      const ThreadSet args = simulation_.choices(state.data(), sequence);
      if (args) {
        chose_ = true;
        for (ThreadSet set = args; set; set &= set - 1) {
          std::vector<u8> next = state;
          if (!simulation_.try_step(next.data(), sequence, lowest(set))) continue;
          moves_.push_back({order_[index], lowest(set), true});
          if (from(next, index + 1)) return true;
          moves_.pop_back();
        }
        moves_.resize(size);
        return false;
      }
      if (!simulation_.try_step(state.data(), sequence, 0)) {
        moves_.resize(size);
        return false;
      }
      moves_.push_back({order_[index], 0, false});
    }
    return simulation_.is_goal(state.data());
  }

  const CausalModel& model_;
  const Simulation simulation_;
  const std::vector<u32>& order_;
  std::vector<Answer::Move> moves_;
  size_t furthest_ = 0;
  bool chose_ = false;
};

/// One trace's constraints in a Z3 of their own.
struct Instance {
  Instance(const CausalModel& model, const SolverOptions& options)
      : solver(context, "QF_IDL"), encoding(context, solver, model) {
    give_up_at(options.deadline());
  }
  void give_up_at(std::chrono::steady_clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    z3::params parameters(context);
    parameters.set("timeout", static_cast<unsigned>(std::max<i64>(1, left)));
    solver.set(parameters);
  }
  z3::context context;
  z3::solver solver;
  Z3Encoding encoding;
  u32 queries = 0;

  /// Rules out that the steps that matter to the failed one come in this order. Without choices (which waiter a signal
  /// wakes) these are the steps on its own objects and bytes; with choices, everything that is not exact.
  z3::expr another_order(const CausalModel& model, const std::vector<u32>& order, size_t failed, bool chose) {
    const Step& last = model.steps()[order[failed]];
    auto matters = [&](u32 number) {
      const Step& step = model.steps()[number];
      const machine::Operation &a = step.operation, &b = last.operation;
      if (a.op == Op::End && chose) return true;
      if (last.is_buffered && step.thread == last.thread)
        return step.is_buffered || a.op == Op::Flush;  // it found no room
      if (step.first_cell < last.last_cell && last.first_cell < step.last_cell) return true;
      if (!machine::is_sync(a.op)) return chose && !encoding.is_exact(number);
      if (chose) return true;
      auto uses = [](const machine::Operation& operation, u32 object) {
        return object != 0 && (operation.object == object || operation.object2 == object);
      };
      return machine::is_sync(b.op) && (uses(a, b.object) || uses(a, b.object2));
    };
    z3::expr_vector ways(context);
    std::vector<bool> inside(model.steps().size(), false);
    u32 previous = CausalModel::kNone;
    for (size_t i = 0; i <= failed; ++i) {
      const u32 step = order[i];
      if (i != failed && !matters(step)) continue;
      inside[step] = true;
      ways.push_back(!encoding.performed(step));
      if (previous != CausalModel::kNone) ways.push_back(encoding.place(step) < encoding.place(previous));
      previous = step;
    }
    for (u32 step = 0; step < model.steps().size(); ++step)
      if (!inside[step] && matters(step))
        ways.push_back(encoding.performed(step) && encoding.place(step) < encoding.place(order[failed]));
    return z3::mk_or(ways);
  }

  Answer ask(const CausalModel& model, const Query& query, const SolverOptions& options) {
    Answer answer;
    const auto deadline = options.deadline();
    if (deadline <= std::chrono::steady_clock::now()) return answer;
    if (options.end) give_up_at(deadline);
    z3::expr_vector assumptions = encoding.assumptions(query);
    const z3::expr guard = context.bool_const(("q" + std::to_string(queries++)).c_str());
    assumptions.push_back(guard);
    for (u32 round = 0; round < kMostRefinements; ++round) {
      const z3::check_result result = solver.check(assumptions);
      if (result == z3::unsat) answer.verdict = Answer::Verdict::Unsat;
      if (result != z3::sat) return answer;
      const std::vector<u32> order = encoding.order(solver.get_model());
      Performance performance(model, query, order);
      if (performance.run(answer.order)) {
        answer.verdict = Answer::Verdict::Sat;
        return answer;
      }
      if (performance.furthest() >= order.size() || std::chrono::steady_clock::now() > deadline) return answer;
      solver.add(!guard || another_order(model, order, performance.furthest(), performance.chose()));
    }
    return answer;
  }
};

/// The model with the changed step's new result in place: what it writes or holds afterwards is then part of the
/// constraints.
CausalModel with_result(const CausalModel& model, const Query& query) {
  CausalModel changed = model;
  changed.set_result(query.changed, query.result);
  return changed;
}

class Z3Solver : public Solver {
 public:
  Z3Solver(const SolverOptions& options, bool incremental) : options_(options), incremental_(incremental) {}

  Answer solve(const CausalModel& model, const Query& query) override {
    try {
      if (query.changed != CausalModel::kNone && model.steps()[query.changed].operation.op != Op::Load) {
        const CausalModel changed = with_result(model, query);
        Query plain = query;
        plain.target = query.changed;
        plain.changed = CausalModel::kNone;
        return Instance(changed, options_).ask(changed, plain, options_);
      }
      if (!incremental_) return Instance(model, options_).ask(model, query, options_);
      if (!instance_ || model_ != model.id()) {
        instance_.reset();
        instance_ = std::make_unique<Instance>(model, options_);
        model_ = model.id();
      }
      return instance_->ask(model, query, options_);
    } catch (const z3::exception&) {  // out of memory, cancelled: the caller hears that there is no answer
      instance_.reset();
      return {};
    }
  }

 private:
  SolverOptions options_;
  bool incremental_;
  std::unique_ptr<Instance> instance_;
  u64 model_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_z3_solver(const SolverOptions& options, bool incremental) {
  return std::make_unique<Z3Solver>(options, incremental);
}

std::string smt_lib(const CausalModel& model, const Query& asked) {
  SolverOptions options;
  const bool fresh = asked.changed != CausalModel::kNone && model.steps()[asked.changed].operation.op != Op::Load;
  const CausalModel changed = fresh ? with_result(model, asked) : model;
  Query query = asked;
  if (fresh) query.target = std::exchange(query.changed, CausalModel::kNone);
  Instance instance(changed, options);
  const Answer answer = instance.ask(changed, query, options);
  const z3::expr_vector assumptions = instance.encoding.assumptions(query);
  for (const z3::expr& assumption : assumptions) instance.solver.add(assumption);
  instance.solver.add(instance.context.bool_const("q0"));
  const char* status = answer.verdict == Answer::Verdict::Sat     ? "sat"
                       : answer.verdict == Answer::Verdict::Unsat ? "unsat"
                                                                  : "unknown";
  return "(set-logic QF_IDL)\n(set-info :status " + std::string(status) + ")\n" + instance.solver.to_smt2();
}

}  // namespace plait::solve
