#include "solve/path_conditions.h"

#include <algorithm>

namespace plait::solve {

u32 PathConditions::intern(std::vector<u32>&& conditions) {
  std::sort(conditions.begin(), conditions.end());
  conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
  const auto [at, fresh] = numbers_.try_emplace(conditions, static_cast<u32>(sets_.size()));
  if (fresh) sets_.push_back(std::move(conditions));
  return at->second;
}

u32 PathConditions::about(u32 set, u64 inputs) {
  if (set == 0) return 0;
  if (inputs == 0) return 0;
  const auto [at, fresh] = abouts_.try_emplace({set, inputs}, 0);
  if (!fresh) return at->second;
  std::vector<u32> kept;
  std::vector<u32> rest = sets_[set];
  for (bool grew = true; grew;) {
    grew = false;
    std::erase_if(rest, [&](u32 condition) {
      const u64 its = terms_.term(condition).inputs;
      if (!(its & inputs)) return false;
      inputs |= its;
      kept.push_back(condition);
      return grew = true;
    });
  }
  return at->second = intern(std::move(kept));
}

InputSolver::Answer PathConditions::can_be(u32 set, InputValue bit) {
  using Answer = InputSolver::Answer;
  if (bit.term == 0) return bit.value ? Answer::Yes : Answer::No;
  const std::vector<u32>& conditions = sets_[set];
  if (std::binary_search(conditions.begin(), conditions.end(), bit.term)) return Answer::Yes;
  const InputValue opposite = terms_.opposite(bit);
  if (opposite.term && std::binary_search(conditions.begin(), conditions.end(), opposite.term)) return Answer::No;
  InputModel model;
  return can_be(set, {bit.term}, 0, model);
}

InputSolver::Answer PathConditions::can_be(u32 set, const std::vector<u32>& bits, u64 inputs, InputModel& model) {
  for (const u32 bit : bits) inputs |= terms_.term(bit).inputs;
  std::vector<u32> asked = sets_[about(set, inputs)];
  asked.insert(asked.end(), bits.begin(), bits.end());
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return solver_.solve(asked, model);
}

InputSolver::Answer PathConditions::find(const std::vector<u32>& conditions, InputModel& model) {
  model.resize(terms_.inputs());
  for (u32 i = 0; i < terms_.inputs(); ++i) model[i] = terms_.default_of(i);
  std::vector<u32> rest = conditions;
  const u32 all = intern(std::vector<u32>(conditions));
  while (!rest.empty()) {
    const std::vector<u32> part = sets_[about(all, terms_.term(rest.back()).inputs)];
    u64 inputs = 0;
    for (const u32 condition : part) inputs |= terms_.term(condition).inputs;
    InputModel found;
    const InputSolver::Answer answer = solver_.solve(part, found);
    if (answer != InputSolver::Answer::Yes) return answer;
    for (u32 i = 0; i < found.size(); ++i)
      if (inputs & InputTerms::bit_of(i)) model[i] = found[i];
    std::erase_if(rest, [&](u32 condition) { return (terms_.term(condition).inputs & inputs) != 0; });
  }
  return InputSolver::Answer::Yes;
}

u32 PathConditions::with(u32 set, InputValue bit) {
  if (bit.term == 0) return set;
  std::vector<u32> more = sets_[set];
  more.push_back(bit.term);
  return intern(std::move(more));
}

}  // namespace plait::solve
