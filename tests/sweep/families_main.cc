// The families of random programs against reach.h:
//
//   sweep_families FAMILY|all [PROGRAMS [SEED]]     draws programs, shrinks and prints those with a mistake
//   sweep_families -p FAMILY PROGRAM [MODEL]        asks about one program, with every explorer
//   sweep_families -r FILE                          asks about kept programs: lines of family, model, program
//
// PLAIT_SWEEP_FAILURES (3): how many mistakes of a family end it. PLAIT_SWEEP_MODEL: only that memory model.
// PLAIT_SWEEP_PLAIT, PLAIT_SWEEP_INTERPRETER: another build of the command, and interp.c compiled by it.
// PLAIT_SWEEP_ONLY: only questions whose name contains it. Exit code 1 if there was a mistake.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "answers.h"
#include "shrink.h"

namespace sweep {
namespace {

constexpr std::uint64_t kStates = 3000;  // of a program
constexpr std::uint64_t kPaths = 30000;  // beyond which explorers of every interleaving are not asked

const char* setting(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? text : otherwise;
}

bool is_asked(const Family& family, const Reachable& truth, const Question& question) {
  if (family.unbounded && !question.merges) return false;
  if (question.every_interleaving && (truth.paths == 0 || truth.paths > kPaths)) return false;
  return name_of(question).find(setting("PLAIT_SWEEP_ONLY", "")) != std::string::npos;
}

MemoryModel model_of(const Family& family, std::uint64_t seed) {
  const std::string only = setting("PLAIT_SWEEP_MODEL", "");
  for (const MemoryModel model : kMemoryModels)
    if (only == name_of(model)) return model;
  if (!family.weak_memory) return MemoryModel::SC;
  return seed % 4 == 0 ? MemoryModel::TSO : seed % 4 == 1 ? MemoryModel::PSO : MemoryModel::SC;
}

class Sweep {
 public:
  Sweep(const Sources& sources, const Family& family) : sources_(sources), family_(family) {}

  /// Whether there was no mistake.
  bool run(std::uint64_t programs, std::uint64_t first) {
    const int most = std::atoi(setting("PLAIT_SWEEP_FAILURES", "3"));
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t seed = first;
    for (; seed < first + programs && mistakes_ < most; ++seed) {
      const MemoryModel model = model_of(family_, seed);
      check(seed, generate(family_, seed, kStates, model), model);
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::cout << family_.name << ": " << seed - first << " programs, " << checks_ << " checks, " << with_bugs_
              << " with bugs, " << outcomes_ << " outcomes, " << mistakes_ << " wrong, " << int(passed.count()) << " s"
              << std::endl;
    return mistakes_ == 0;
  }

  /// Every question about one program. Prints the answers, unless they are right and not wanted.
  bool ask(const Program& program, MemoryModel model, bool always = true) {
    const Reachable truth = reach(program, 100 * kStates, model);
    std::map<std::string, std::string> answers;  // those who answer alike together
    for (const Question& question : questions())
      if (is_asked(family_, truth, question))
        answers[mistake(sources_, family_, program, truth, model, question)] += "  " + name_of(question) + "\n";
    const bool right = answers.size() == 1 && answers.contains("");
    if (right && !always) return true;
    std::cout << family_.name << ", " << name_of(model) << ": " << to_text(program) << "\n  truth" << (truth.misuse ? " (misuse)" : "") << ":";
    for (const std::string& bug : truth.bugs) std::cout << " " << bug;
    for (const std::string& race : truth.races) std::cout << " race " << race;
    std::cout << "; " << truth.outcomes.size() << " outcomes\n";
    for (const auto& [what, who] : answers) std::cout << who << "    " << (what.empty() ? "right\n" : what);
    return right;
  }

 private:
  const Sources& sources_;
  const Family& family_;
  std::uint64_t checks_ = 0, with_bugs_ = 0, outcomes_ = 0;
  int mistakes_ = 0;

  void check(std::uint64_t seed, const Program& program, MemoryModel model) {
    const Reachable truth = reach(program, kStates, model);
    with_bugs_ += !truth.bugs.empty();
    outcomes_ += truth.outcomes.size();
    for (const Question& question : questions()) {
      if (!is_asked(family_, truth, question)) continue;
      ++checks_;
      const std::string what = mistake(sources_, family_, program, truth, model, question);
      if (what.empty()) continue;
      ++mistakes_;
      report(seed, program, model, question, what);
      return;  // one explorer per program: others are asked about the shrunk one by hand
    }
  }

  void report(std::uint64_t seed, const Program& program, MemoryModel model, const Question& question,
              const std::string& what) {
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
};

MemoryModel model_named(const std::string& name) {
  for (const MemoryModel model : kMemoryModels)
    if (name == name_of(model)) return model;
  throw std::invalid_argument("no memory model: " + name);
}

/// Each line of the file: family, memory model, program. What begins with # is a comment.
bool ask_all(const Sources& sources, const std::string& file) {
  std::ifstream in(file);
  int programs = 0, wrong = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string family, model, program;
    if (!(words >> family >> model) || family[0] == '#') continue;
    std::getline(words, program);
    const Family* known = family_of(family);
    if (!known) throw std::invalid_argument("no family: " + family);
    ++programs;
    if (!Sweep(sources, *known).ask(from_text(program), model_named(model), false)) ++wrong;
  }
  std::cout << programs << " kept programs, " << wrong << " wrong\n";
  return programs && !wrong;
}

int usage() {
  std::cerr << "usage: sweep_families FAMILY|all [PROGRAMS [SEED]] | -p FAMILY PROGRAM [MODEL] | -r FILE\nfamilies:";
  for (const Family& family : kFamilies) std::cerr << " " << family.name;
  std::cerr << "\n";
  return 2;
}

int main_of(int argc, char** argv, const Sources& sources) {
  if (argc >= 4 && !std::strcmp(argv[1], "-p")) {
    const Family* family = family_of(argv[2]);
    if (!family) return usage();
    return Sweep(sources, *family).ask(from_text(argv[3]), model_named(argc > 4 ? argv[4] : "sc")) ? 0 : 1;
  }
  if (argc == 3 && !std::strcmp(argv[1], "-r")) return ask_all(sources, argv[2]) ? 0 : 1;
  if (argc < 2) return usage();
  const std::uint64_t programs = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  const std::uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const bool all = !std::strcmp(argv[1], "all");
  if (!all && !family_of(argv[1])) return usage();
  bool right = true;
  for (const Family& family : kFamilies)
    if (all || family.name == argv[1]) right &= Sweep(sources, family).run(programs, first);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace sweep

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  std::string directory = (fs::temp_directory_path() / "plait-families-XXXXXX").string();
  if (!mkdtemp(directory.data())) return 2;
  const int code = sweep::main_of(
      argc, argv,
      {sweep::setting("PLAIT_SWEEP_PLAIT", SWEEP_PLAIT), sweep::setting("PLAIT_SWEEP_INTERPRETER", SWEEP_INTERPRETER), SWEEP_INTERPRETER_SOURCE, directory});
  fs::remove_all(directory);
  return code;
}
