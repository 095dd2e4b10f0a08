// What `plait check` says about a program of a family, in the terms of reach.h, and where that is wrong.
#pragma once
#include <string>
#include <vector>

#include "families.h"
#include "reach.h"

namespace sweep {

/// One way to ask.
struct Question {
  std::vector<std::string> options;  // the explorer, merging, jobs
  bool keep_going = true;            // else only: is there a bug, and is the first one real?
  bool every_interleaving = false;   // not for programs with many
  bool merges = false;               // copes with loops without a bound
  bool audit = false;                // put a `safe` to the test
};

const std::vector<Question>& questions();

std::string name_of(const Question& question);

struct Sources {
  std::string plait, interpreter, interpreter_source, output_directory;
  /// Compiled with -fplait-inputs.
  std::string path_interpreter() const { return interpreter + "-paths"; }
};

/// Whether that is the right answer.
bool is_safe(const Family& family, const Reachable& truth);

/// Empty when the answer is right; else what is wrong, for people, the most telling words first.
std::string mistake(const Sources& sources, const Family& family, const Program& program, const Reachable& truth,
                    MemoryModel model, const Question& question);

}  // namespace sweep
