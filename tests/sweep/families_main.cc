// The families of random programs against reach.h:
//
//   sweep_families FAMILY|all [PROGRAMS [SEED]]     draws programs, shrinks and prints those with a mistake
//   sweep_families -p FAMILY PROGRAM [MODEL]        asks about one program, with every explorer
//   sweep_families -r FILE                          asks about kept programs: lines of family, model, program
//   sweep_families -w FILE PROGRAMS                 very many programs, in two ways each unless told; goes on where
//                                                   FILE says
//
// PLAIT_SWEEP_WAYS: in how many ways a program is asked, others for each (0: all of them).
// PLAIT_SWEEP_FAMILIES: only these, of -w. PLAIT_SWEEP_SEED: where -w begins (1000000).
// PLAIT_SWEEP_FAILURES (3): how many mistakes of a family end it. PLAIT_SWEEP_MODEL: only that memory model.
// PLAIT_SWEEP_PLAIT, PLAIT_SWEEP_INTERPRETER, PLAIT_SWEEP_SOURCE: another build of the command, interp.c compiled by
// it, and that interp.c. PLAIT_SWEEP_ONLY: only questions whose name contains it. Exit code 1 if there was a mistake.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "family_sweep.h"
#include "wide_sweep.h"

namespace sweep {
namespace {

/// Whether there was no mistake.
bool run(const Sources& sources, const Family& family, std::uint64_t programs, std::uint64_t first, unsigned ways) {
  const std::uint64_t most = std::strtoull(setting("PLAIT_SWEEP_FAILURES", "3"), nullptr, 10);
  const auto start = std::chrono::steady_clock::now();
  FamilySweep sweep(sources, family);
  for (std::uint64_t seed = first; seed < first + programs && sweep.count().wrong < most; ++seed)
    sweep.check(seed, ways);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const Count& count = sweep.count();
  std::cout << family.name << ": " << count.programs << " programs, " << count.checks << " checks, " << count.audits
            << " audits, " << count.with_bugs << " with bugs, " << count.outcomes << " outcomes, " << count.wrong
            << " wrong, " << int(passed.count()) << " s" << std::endl;
  return count.wrong == 0;
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
    if (!FamilySweep(sources, *known).ask(from_text(program), model_named(model), false)) ++wrong;
  }
  std::cout << programs << " kept programs, " << wrong << " wrong\n";
  return programs && !wrong;
}

int usage() {
  std::cerr
      << "usage: sweep_families FAMILY|all [PROGRAMS [SEED]] | -p FAMILY PROGRAM [MODEL] | -r FILE | -w FILE PROGRAMS\n"
         "families:";
  for (const Family& family : kFamilies) std::cerr << " " << family.name;
  std::cerr << "\n";
  return 2;
}

int main_of(int argc, char** argv, const Sources& sources) {
  if (argc >= 4 && !std::strcmp(argv[1], "-p")) {
    const Family* family = family_of(argv[2]);
    if (!family) return usage();
    return FamilySweep(sources, *family).ask(from_text(argv[3]), model_named(argc > 4 ? argv[4] : "sc")) ? 0 : 1;
  }
  if (argc == 3 && !std::strcmp(argv[1], "-r")) return ask_all(sources, argv[2]) ? 0 : 1;
  if (argc == 4 && !std::strcmp(argv[1], "-w"))
    return sweep_widely(sources, argv[2], std::strtoull(argv[3], nullptr, 10)) ? 0 : 1;
  if (argc < 2) return usage();
  const std::uint64_t programs = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  const std::uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const unsigned ways = static_cast<unsigned>(std::atoi(setting("PLAIT_SWEEP_WAYS", "0")));
  const bool all = !std::strcmp(argv[1], "all");
  if (!all && !family_of(argv[1])) return usage();
  bool right = true;
  for (const Family& family : kFamilies)
    if (all || family.name == argv[1]) right &= run(sources, family, programs, first, ways);
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
      {sweep::setting("PLAIT_SWEEP_PLAIT", SWEEP_PLAIT), sweep::setting("PLAIT_SWEEP_INTERPRETER", SWEEP_INTERPRETER),
       sweep::setting("PLAIT_SWEEP_SOURCE", SWEEP_INTERPRETER_SOURCE), directory});
  fs::remove_all(directory);
  return code;
}
