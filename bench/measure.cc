#include "measure.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace plait::bench {
namespace {

double seconds(const rusage& usage) {
  auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

}  // namespace

Measured measure(const std::vector<std::string>& command, const std::vector<std::string>& variables,
                 bool fixed_addresses) {
  Measured result;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return result;
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[1], 1);
    for (const std::string& variable : variables) putenv(const_cast<char*>(variable.c_str()));
    if (fixed_addresses) personality(ADDR_NO_RANDOMIZE);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(pipe_ends[1]);
  char buffer[4096];
  for (ssize_t got; (got = read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    result.output.append(buffer, static_cast<size_t>(got));
  close(pipe_ends[0]);
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  result.cpu_seconds = seconds(usage);
  return result;
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage);
}

}  // namespace plait::bench
