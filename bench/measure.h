// Runs commands and says what they cost in CPU time: wall time would measure who else uses the machine.
#pragma once
#include <string>
#include <vector>

namespace plait::bench {

struct Measured {
  int exit_code = -1;      // -1: killed by a signal, or not started
  double cpu_seconds = 0;  // user and system, of the command and all that it waited for
  std::string output;      // standard output
};

/// `variables`: NAME=VALUE, added to the environment. `fixed_addresses`: without address-space randomisation, as the
/// engine starts its workers.
Measured measure(const std::vector<std::string>& command, const std::vector<std::string>& variables = {},
                 bool fixed_addresses = false);

/// CPU time of this process so far.
double own_cpu_seconds();

}  // namespace plait::bench
