// Running a command and keeping what it says.
#pragma once
#include <string>
#include <vector>

namespace plait {

struct Captured {
  int status = 0;      // exit code; 128 + signal when killed; 127 when it could not be run
  std::string output;  // standard output and error together
};

Captured capture(const std::vector<std::string>& command);

/// Runs it with our standard streams; its status as above.
int run(const std::vector<std::string>& command);

/// argv for exec; valid while `words` lives.
std::vector<char*> exec_arguments(const std::vector<std::string>& words);

}  // namespace plait
