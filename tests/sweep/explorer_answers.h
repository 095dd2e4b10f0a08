// What `plait check` answers for a sweep program with any explorer: verdict, outcomes, deadlocks.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "program.h"

namespace sweep {

struct Answer {
  std::string problem;  // not empty: the command did not answer as it should
  bool complete = false;
  bool deadlock = false;
  int exit_code = -1;
  std::uint64_t executions = 0, interleavings = 0, blocked = 0, queries = 0;
  std::set<std::string> outcomes;
};

/// `options` choose the explorer.
Answer answer_of(const std::string& plait, const std::string& interpreter, const std::string& output_directory,
                 const Program& program, const std::vector<std::string>& options);

}  // namespace sweep
