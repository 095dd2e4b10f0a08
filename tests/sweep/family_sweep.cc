#include "family_sweep.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>

#include "random.h"
#include "shrink.h"

namespace sweep {
namespace {

constexpr std::uint64_t kStates = 3000;   // of a program
constexpr std::uint64_t kPaths = 30000;   // beyond which explorers of every interleaving are not asked
constexpr std::uint64_t kAuditEvery = 3;  // questions about a program without a bug

MemoryModel model_of(const Family& family, std::uint64_t seed) {
  const std::string only = setting("PLAIT_SWEEP_MODEL", "");
  for (const MemoryModel model : kMemoryModels)
    if (only == name_of(model)) return model;
  if (!family.weak_memory) return MemoryModel::SC;
  return seed % 4 == 0 ? MemoryModel::TSO : seed % 4 == 1 ? MemoryModel::PSO : MemoryModel::SC;
}

/// A few of the questions, others for each seed.
std::vector<Question> some_of(std::vector<Question> left, std::uint64_t seed, unsigned ways) {
  if (ways == kEveryWay) return left;
  Random random(seed);
  std::vector<Question> some;
  while (some.size() < ways && !left.empty()) {
    const auto place = left.begin() + random.below(static_cast<unsigned>(left.size()));
    some.push_back(*place);
    left.erase(place);
  }
  return some;
}

}  // namespace

const char* setting(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? text : otherwise;
}

MemoryModel model_named(const std::string& name) {
  for (const MemoryModel model : kMemoryModels)
    if (name == name_of(model)) return model;
  throw std::invalid_argument("no memory model: " + name);
}

std::vector<Question> FamilySweep::asked(const Reachable& truth) const {
  std::vector<Question> some;
  for (const Question& question : questions()) {
    if (family_.unbounded && !question.merges) continue;
    const std::uint64_t most = family_.coarse ? kPaths / 100 : kPaths;
    if (question.every_interleaving && (truth.paths == 0 || truth.paths > most)) continue;
    if (name_of(question).find(setting("PLAIT_SWEEP_ONLY", "")) != std::string::npos) some.push_back(question);
  }
  return some;
}

void FamilySweep::check(std::uint64_t seed, unsigned ways) {
  const MemoryModel model = model_of(family_, seed);
  const Program program = generate(family_, seed, kStates, model);
  const Reachable truth = reach(program, kStates, model);
  ++count_.programs;
  count_.with_bugs += !truth.bugs.empty();
  count_.outcomes += truth.outcomes.size();
  std::uint64_t number = ways == kEveryWay ? seed : 0;
  for (Question question : some_of(asked(truth), seed, ways)) {
    if (is_safe(family_, truth) && number++ % kAuditEvery == 0) question.audit = true, ++count_.audits;
    ++count_.checks;
    const std::string what = mistake(sources_, family_, program, truth, model, question);
    if (what.empty()) continue;
    ++count_.wrong;
    report(seed, program, model, question, what);
    return;  // one explorer per program: others are asked about the shrunk one by hand
  }
}

bool FamilySweep::ask(const Program& program, MemoryModel model, bool always) const {
  const Reachable truth = reach(program, 100 * kStates, model);
  std::map<std::string, std::string> answers;  // those who answer alike together
  for (Question question : asked(truth)) {
    question.audit = is_safe(family_, truth);
    answers[mistake(sources_, family_, program, truth, model, question)] += "  " + name_of(question) + "\n";
  }
  const bool right = answers.size() == 1 && answers.contains("");
  if (right && !always) return true;
  std::cout << family_.name << ", " << name_of(model) << ": " << to_text(program) << "\n  truth"
            << (truth.misuse ? " (misuse)" : "") << ":";
  for (const std::string& bug : truth.bugs) std::cout << " " << bug;
  for (const std::string& race : truth.races) std::cout << " race " << race;
  std::cout << "; " << truth.outcomes.size() << " outcomes\n";
  for (const auto& [what, who] : answers) std::cout << who << "    " << (what.empty() ? "right\n" : what);
  return right;
}

void FamilySweep::report(std::uint64_t seed, const Program& program, MemoryModel model, const Question& question,
                         const std::string& what) const {
  std::cout << "family " << family_.name << ", seed " << seed << ", " << name_of(model) << ", " << name_of(question)
            << ": " << to_text(program) << "\n"
            << what << std::flush;
  // The same thing must stay wrong, or the program shrinks into another failure.
  const auto start_of = [](const std::string& text) { return text.substr(0, text.find_first_of(":@\n")); };
  const Program small = shrink(program, [&](const Program& candidate) {
    const Reachable truth = reach(candidate, kStates, model);
    if (truth.exceeded || truth.misuse) return false;
    const std::string wrong = mistake(sources_, family_, candidate, truth, model, question);
    return !wrong.empty() && start_of(wrong) == start_of(what);
  });
  std::cout << "shrunk: " << to_text(small) << std::endl;
  ask(small, model);
  std::cout << std::endl;
}

}  // namespace sweep
