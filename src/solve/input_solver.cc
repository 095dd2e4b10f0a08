#include "solve/input_solver.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "solve/z3_terms.h"

namespace plait::solve {
namespace {

constexpr size_t kRecent = 8;
constexpr u64 kMostValues = 1024;  // of small ranges, all together

}  // namespace

struct InputSolver::Backend {
  explicit Backend(InputTerms& all) : terms(all) {}

  z3::expr number(u64 value, unsigned width) { return context.bv_val(static_cast<uint64_t>(value), width); }

  z3::expr variable(u32 index) {
    const InputVariable& input = terms.input(index);
    return context.bv_const(fmt::format("i{}", index).c_str(), input.width);
  }

  z3::expr range(u32 index) {
    const InputVariable& input = terms.input(index);
    const z3::expr v = variable(index), low = number(input.low, input.width), high = number(input.high, input.width);
    return input.is_signed ? low <= v && v <= high : z3::ule(low, v) && z3::ule(v, high);
  }

  z3::expr operand(const InputTerm& term, int i, unsigned width) {
    return term.operand[i] ? made[term.operand[i]] : number(term.constant[i], width);
  }

  z3::expr make(const InputTerm& term) {
    if (term.op == LabelOp::Input) return variable(static_cast<u32>(term.constant[0]));
    return term_of(term.op, term.width, term.from, static_cast<unsigned>(term.constant[1]),
                   [&](int i, unsigned width) { return operand(term, i, width); });
  }

  /// Terms are made of smaller ones.
  const z3::expr& expression(u32 number) {
    for (u32 next = static_cast<u32>(made.size()); next <= number; ++next)
      made.push_back(next == 0 ? context.bv_val(0, 1) : make(terms.term(next)));
    return made[number];
  }

  InputTerms& terms;
  z3::context context;
  std::vector<z3::expr> made;
};

InputSolver::InputSolver(InputTerms& terms) : terms_(terms) {}
InputSolver::~InputSolver() = default;

bool InputSolver::holds(const std::vector<u32>& conditions, const InputModel& model) {
  return std::ranges::all_of(conditions, [&](u32 condition) { return terms_.evaluate(condition, model) == 1; });
}

void InputSolver::collect(const std::vector<u32>& conditions, std::vector<u32>& inputs,
                          std::vector<u64>& constants) const {
  std::set<u32> parts(conditions.begin(), conditions.end());
  for (auto at = parts.rbegin(); at != parts.rend(); ++at) {
    const InputTerm& term = terms_.term(*at);
    if (term.op == LabelOp::Input) inputs.push_back(static_cast<u32>(term.constant[0]));
    for (int i = 0; i < 3; ++i)
      if (term.operand[i])
        parts.insert(term.operand[i]);
      else if (term.op != LabelOp::Input && term.op != LabelOp::Extract)
        constants.push_back(term.constant[i]);
  }
  std::sort(inputs.begin(), inputs.end());
  std::sort(constants.begin(), constants.end());
  constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
}

/// All values, if they are few.
bool InputSolver::try_all(const std::vector<u32>& conditions, const std::vector<u32>& inputs, Known& known) {
  u64 all = 1;
  for (const u32 index : inputs) {
    const InputVariable& input = terms_.input(index);
    const u64 count =
        input.has_range ? ((input.high - input.low) & labels::mask(input.width)) + 1 : labels::mask(input.width) + 1;
    if (count == 0 || count > kMostValues || (all *= count) > kMostValues) return false;
  }
  InputModel model = known.model;
  for (u64 number = 0; number < all; ++number) {
    u64 rest = number;
    for (const u32 index : inputs) {
      const InputVariable& input = terms_.input(index);
      const u64 count =
          input.has_range ? ((input.high - input.low) & labels::mask(input.width)) + 1 : labels::mask(input.width) + 1;
      model[index] = (input.low + rest % count) & labels::mask(input.width);
      rest /= count;
    }
    if (!holds(conditions, model)) continue;
    known = {Answer::Yes, model};
    return true;
  }
  known.answer = Answer::No;
  return true;
}

bool InputSolver::try_values(const std::vector<u32>& conditions, const std::vector<u32>& inputs, Known& known) {
  std::vector<u32> same;
  std::vector<u64> constants;
  collect(conditions, same, constants);
  if (holds(conditions, known.model)) {  // defaults
    known.answer = Answer::Yes;
    return true;
  }
  const auto fits = [&](InputModel model) {
    model.resize(terms_.inputs());
    for (const u32 index : inputs)
      if (!terms_.is_in_range(index, model[index])) return false;
    if (!holds(conditions, model)) return false;
    known = {Answer::Yes, std::move(model)};
    return true;
  };
  for (const InputModel& model : recent_)
    if (fits(model)) return true;
  if (try_all(conditions, inputs, known)) return true;
  if (inputs.size() > 2 || constants.size() > 12) return false;
  std::vector<u64> candidates;
  for (const u64 c : constants)
    for (const u64 near : {c, c + 1, c - 1}) candidates.push_back(near);
  for (const u32 index : inputs)
    for (const u64 value : candidates) {
      InputModel model = known.model;
      model[index] = value & labels::mask(terms_.input(index).width);
      if (fits(std::move(model))) return true;
    }
  return false;
}

InputSolver::Known InputSolver::ask(const std::vector<u32>& conditions, const std::vector<u32>& inputs) {
  if (!backend_) backend_ = std::make_unique<Backend>(terms_);
  Known known{Answer::Unknown, {}};
  ++counts_.by_solver;
  try {
    z3::solver solver(backend_->context);
    z3::params limits(backend_->context);
    limits.set("timeout", static_cast<unsigned>(std::min(seconds_ * 1000 + 1, 4e9)));
    solver.set(limits);
    for (const u32 condition : conditions) solver.add(backend_->expression(condition) == backend_->number(1, 1));
    for (const u32 index : inputs)
      if (terms_.input(index).has_range) solver.add(backend_->range(index));
    const z3::check_result answer = solver.check();
    if (answer == z3::unsat) known.answer = Answer::No;
    if (answer != z3::sat) return known;
    const z3::model found = solver.get_model();
    known.model.resize(terms_.inputs());
    for (u32 i = 0; i < terms_.inputs(); ++i) known.model[i] = terms_.default_of(i);
    for (const u32 index : inputs) {
      const z3::expr value = found.eval(backend_->variable(index), true);
      if (value.is_numeral()) known.model[index] = value.get_numeral_uint64();
    }
    known.answer = Answer::Yes;
  } catch (const z3::exception&) {
    return known;
  }
  // Z3's arithmetic and ours must be of one mind.
  const bool in_range = std::ranges::all_of(inputs, [&](u32 i) { return terms_.is_in_range(i, known.model[i]); });
  if (!in_range || !holds(conditions, known.model))
    throw std::logic_error("the solver and the evaluator of expressions disagree");
  return known;
}

InputSolver::Answer InputSolver::solve(const std::vector<u32>& conditions, InputModel& model) {
  ++counts_.queries;
  if (const auto found = known_.find(conditions); found != known_.end()) {
    ++counts_.by_cache;
    model = found->second.model;
    return found->second.answer;
  }
  std::vector<u32> inputs;
  std::vector<u64> constants;
  collect(conditions, inputs, constants);
  Known known{Answer::Unknown, InputModel(terms_.inputs())};
  for (u32 i = 0; i < terms_.inputs(); ++i) known.model[i] = terms_.default_of(i);
  if (try_values(conditions, inputs, known))
    ++counts_.by_values;
  else
    known = ask(conditions, inputs);
  if (known.answer == Answer::Yes) {
    if (recent_.size() < kRecent)
      recent_.push_back(known.model);
    else
      recent_[next_recent_++ % kRecent] = known.model;
  }
  if (known.answer == Answer::Unknown) ++counts_.unknown;
  model = known.model;
  return known_.emplace(conditions, std::move(known)).first->second.answer;
}

}  // namespace plait::solve
