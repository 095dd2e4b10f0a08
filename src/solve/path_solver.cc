#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "solve/path_problem.h"
#include "solve/z3_terms.h"

namespace plait::solve {
namespace {

using Kind = PathEvent::Kind;

bool reads(const PathEvent& event) {
  return event.kind == Kind::Load || event.kind == Kind::Update || event.kind == Kind::Compare;
}
bool may_write(const PathEvent& event) {
  return event.kind == Kind::Store || event.kind == Kind::Update || event.kind == Kind::Compare;
}

/// What a read can see, as far as its thread's own order tells.
struct Sources {
  std::vector<u32> writes;  // of its own thread the last one that certainly writes, and those behind; all of the others
  bool initial = true;
};

Sources sources_of(const PathProblem& problem, const std::vector<u32>& writers, u32 read) {
  Sources sources;
  const ThreadId thread = problem.events[read].thread;
  for (auto at = writers.rbegin(); at != writers.rend(); ++at) {
    const PathEvent& writer = problem.events[*at];
    if (*at == read) continue;
    if (writer.thread != thread) {
      sources.writes.push_back(*at);
    } else if (sources.initial && problem.leads_to(*at, read)) {
      sources.writes.push_back(*at);
      sources.initial = writer.kind == Kind::Compare;  // it may not have written
    }
  }
  return sources;
}

std::vector<std::vector<u32>> writers_by_place(const PathProblem& problem) {
  std::vector<std::vector<u32>> writers(problem.initial.size());
  for (u32 e = 1; e < problem.events.size(); ++e)
    if (may_write(problem.events[e])) writers[problem.events[e].place].push_back(e);
  return writers;
}

}  // namespace

u64 size_of_reads(const PathProblem& problem) {
  const auto writers = writers_by_place(problem);
  u64 size = 0;
  for (const PathEvent& event : problem.events)
    if (reads(event)) size += (writers[event.place].size() + 1) * (writers[event.place].size() + 1);
  return size;
}

struct PathSolver::Encoding {
  Encoding(const PathProblem& given, const InputTerms& of_inputs, double seconds)
      : problem(given), inputs(of_inputs), solver(context, "QF_BV") {
    z3::params limits(context);
    limits.set("timeout", static_cast<unsigned>(std::min(seconds * 1000 + 1, 4e9)));
    solver.set(limits);
    const size_t count = problem.events.size();
    const auto order_bits = static_cast<unsigned>(std::bit_width(count));
    for (u32 e = 0; e < count; ++e) {
      happens.push_back(context.bool_const(fmt::format("h{}", e).c_str()));
      when.push_back(context.bv_const(fmt::format("o{}", e).c_str(), order_bits));
      const unsigned bits = std::max(8u * problem.events[e].bytes, 1u);
      value.push_back(context.bv_const(fmt::format("v{}", e).c_str(), bits));
    }
    for (u32 t = 0; t < kMaxThreads; ++t) conditions.push_back(context.bool_const(fmt::format("c{}", t).c_str()));
    for (u32 i = 0; i < inputs.inputs(); ++i) add_input(i);
    for (u32 next = 0; next < problem.terms.size(); ++next) terms.push_back(make(problem.terms[next]));
    for (u32 e = 1; e < count; ++e) add_order(e);
    if (problem.reads_anything) return;
    add_reads();
    add_locks();
  }

  z3::expr number(u64 constant, unsigned width) { return context.bv_val(static_cast<uint64_t>(constant), width); }

  void add_input(u32 index) {
    const InputVariable& input = inputs.input(index);
    variables.push_back(context.bv_const(fmt::format("i{}", index).c_str(), input.width));
    if (!input.has_range) return;
    const z3::expr v = variables.back(), low = number(input.low, input.width), high = number(input.high, input.width);
    solver.add(input.is_signed ? low <= v && v <= high : z3::ule(low, v) && z3::ule(v, high));
  }

  z3::expr make(const PathTerm& term) {
    if (term.op == LabelOp::None) return context.bv_val(0, 1);
    if (term.op == LabelOp::Input) return variables[term.constant[0]];
    if (term.op == LabelOp::Read) {
      const z3::expr& read = value[term.constant[0]];
      return term.width < read.get_sort().bv_size() ? read.extract(term.width - 1u, 0) : read;
    }
    return term_of(term.op, term.width, term.from, static_cast<unsigned>(term.constant[1]), [&](int i, unsigned width) {
      return term.operand[i] ? terms[term.operand[i]] : number(term.constant[i], width);
    });
  }

  z3::expr of(const InputValue& given, unsigned width) {
    return given.term ? terms[given.term] : number(given.value, width);
  }

  z3::expr earlier(u32 a, u32 b) { return z3::ult(when[a], when[b]); }

  z3::expr any(const z3::expr_vector& of_them) {
    return of_them.empty() ? context.bool_val(false) : z3::mk_or(of_them);
  }

  void require(u32 event, const z3::expr& condition) { solver.add(z3::implies(happens[event], condition)); }

  /// What an event returns.
  z3::expr result(u32 e) {
    return problem.events[e].kind == Kind::Decision ? terms[problem.events[e].operand.term] : value[e];
  }

  z3::expr result_is(u32 e, u64 side) {
    const z3::expr its = result(e);
    return its == number(side, its.get_sort().bv_size());
  }

  /// Phi_sync without locks, and Phi_pc.
  void add_order(u32 e) {
    const PathEvent& event = problem.events[e];
    if (event.before) {
      require(e, happens[event.before] && earlier(event.before, e));
      if (event.side) require(e, z3::implies(conditions[event.thread], result_is(event.before, *event.side)));
    }
    if (problem.reads_anything) return;
    const bool needs_others = event.kind == Kind::Join || (!event.before && event.thread != 0);
    if (!needs_others) return;
    z3::expr_vector ways(context);
    for (const u32 one : event.behind_one_of) ways.push_back(happens[one] && earlier(one, e));
    require(e, any(ways));
  }

  z3::expr writes(u32 e) {
    const PathEvent& event = problem.events[e];
    if (event.kind != Kind::Compare) return happens[e];
    return happens[e] && value[e] == of(event.expected, 8u * event.bytes);
  }

  z3::expr written(u32 e) {
    const PathEvent& event = problem.events[e];
    z3::expr operand = of(event.operand, 8u * event.bytes);
    if (event.kind != Kind::Update) return operand;
    const z3::expr& old = value[e];
    switch (event.update) {
      case RmwKind::Add: return old + operand;
      case RmwKind::Sub: return old - operand;
      case RmwKind::And: return old & operand;
      case RmwKind::Or: return old | operand;
      case RmwKind::Xor: return old ^ operand;
      case RmwKind::Nand: return ~(old & operand);
      case RmwKind::Max: return z3::ite(old < operand, operand, old);
      case RmwKind::Min: return z3::ite(operand < old, operand, old);
      case RmwKind::UMax: return z3::ite(z3::ult(old, operand), operand, old);
      case RmwKind::UMin: return z3::ite(z3::ult(operand, old), operand, old);
      default: return operand;
    }
  }

  /// Phi_dc: a read sees a write that nobody else's comes in between.
  void add_reads() {
    const auto writers = writers_by_place(problem);
    for (u32 e = 1; e < problem.events.size(); ++e) {
      const PathEvent& event = problem.events[e];
      if (!reads(event)) continue;
      const Sources sources = sources_of(problem, writers[event.place], e);
      z3::expr_vector ways(context);
      for (const u32 source : sources.writes) {
        z3::expr_vector all(context);
        all.push_back(writes(source));
        all.push_back(value[e] == written(source));
        all.push_back(earlier(source, e));
        for (const u32 other : sources.writes)
          if (other != source && can_come_between(source, other))
            all.push_back(!writes(other) || earlier(other, source) || earlier(e, other));
        ways.push_back(z3::mk_and(all));
      }
      if (sources.initial) {
        z3::expr_vector all(context);
        all.push_back(value[e] == number(problem.initial[event.place], 8u * event.bytes));
        for (const u32 other : sources.writes) all.push_back(!writes(other) || earlier(e, other));
        ways.push_back(z3::mk_and(all));
      }
      require(e, any(ways));
    }
  }

  /// Is `other`, if it happens too, not certainly before `source`?
  bool can_come_between(u32 source, u32 other) const {
    if (problem.events[source].thread != problem.events[other].thread) return true;
    return other > source && problem.leads_to(source, other);
  }

  void add_locks() {
    std::vector<u32> locks;
    for (u32 e = 1; e < problem.events.size(); ++e)
      if (problem.events[e].kind == Kind::Lock) locks.push_back(e);
    const auto over_before = [&](u32 lock, u32 other) {
      z3::expr_vector ways(context);
      for (const u32 unlock : problem.events[lock].unlocks) ways.push_back(happens[unlock] && earlier(unlock, other));
      return any(ways);
    };
    for (const u32 a : locks)
      for (const u32 b : locks)
        if (a < b && problem.events[a].place == problem.events[b].place &&
            problem.events[a].thread != problem.events[b].thread)
          solver.add(!happens[a] || !happens[b] || over_before(a, b) || over_before(b, a));
  }

  void add_goal(const PathGoal& goal) {
    solver.add(happens[goal.event]);
    const ThreadId thread = problem.events[goal.event].thread;
    for (const u64 side : goal.not_results) solver.add(z3::implies(conditions[thread], !result_is(goal.event, side)));
    if (goal.result) solver.add(z3::implies(conditions[thread], result_is(goal.event, *goal.result)));
    if (!goal.others_come_first) return;
    for (u32 e = 1; e < problem.events.size(); ++e)
      if (e != goal.event) solver.add(!happens[e] || earlier(e, goal.event));
  }

  void read_model(PathAnswer& answer) {
    const z3::model model = solver.get_model();
    std::vector<std::pair<u64, u32>> times;
    for (u32 e = 1; e < problem.events.size(); ++e) {
      if (!model.eval(happens[e], true).is_true()) continue;
      times.push_back({model.eval(when[e], true).get_numeral_uint64(), e});
    }
    std::sort(times.begin(), times.end());
    for (const auto& [time, event] : times) answer.order.push_back(event);
    for (u32 i = 0; i < inputs.inputs(); ++i)
      answer.inputs.push_back(model.has_interp(variables[i].decl())
                                  ? model.eval(variables[i], true).get_numeral_uint64()
                                  : inputs.default_of(i));
  }

  const PathProblem& problem;
  const InputTerms& inputs;
  z3::context context;
  z3::solver solver;
  std::vector<z3::expr> happens, when, value, terms, variables;
  std::vector<z3::expr> conditions;  // of threads: assumed, so that conflicts name them
};

PathSolver::PathSolver(const PathProblem& problem, const InputTerms& inputs, double seconds)
    : encoding_(std::make_unique<Encoding>(problem, inputs, seconds)) {}
PathSolver::~PathSolver() = default;

PathAnswer PathSolver::solve(const std::vector<PathGoal>& goals) {
  PathAnswer answer;
  Encoding& e = *encoding_;
  e.solver.push();
  try {
    for (const PathGoal& goal : goals) e.add_goal(goal);
    z3::expr_vector assumed(e.context);
    for (const z3::expr& condition : e.conditions) assumed.push_back(condition);
    const z3::check_result found = e.solver.check(assumed);
    if (found == z3::sat) {
      e.read_model(answer);
      if (!goals.empty())
        answer.result = e.solver.get_model().eval(e.result(goals[0].event), true).get_numeral_uint64();
      answer.kind = PathAnswer::Kind::Yes;
    } else if (found == z3::unsat) {
      answer.kind = PathAnswer::Kind::No;
      const z3::expr_vector core = e.solver.unsat_core();
      for (const z3::expr& part : core)
        for (u32 t = 0; t < kMaxThreads; ++t)
          if (z3::eq(part, e.conditions[t])) answer.conflict |= bit(static_cast<ThreadId>(t));
    }
  } catch (const z3::exception&) {
    answer = {};
  }
  e.solver.pop();
  return answer;
}

}  // namespace plait::solve
