// Runs a command and collects its standard output.
#pragma once
#include <string>
#include <vector>

namespace sweep {

struct Finished {
  int exit_code;
  std::string output;
};

/// The first word is the path of the command. Throws std::runtime_error when it cannot be started.
Finished run(std::vector<std::string> command);

}  // namespace sweep
