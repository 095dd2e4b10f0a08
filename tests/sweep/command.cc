#include "command.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace sweep {
namespace {

using Clock = std::chrono::steady_clock;

// A command that hangs is a mistake like others.
constexpr std::chrono::seconds kPatience(1200);

/// Until there is something to be read. False: that takes too long, and the command is no more.
bool waits(int from, pid_t command, Clock::time_point end) {
  pollfd file = {from, POLLIN, 0};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  if (poll(&file, 1, left > 0 ? static_cast<int>(left) : 0) > 0) return true;
  kill(command, SIGKILL);
  return false;
}

}  // namespace

Finished run(std::vector<std::string> command) {
  int ends[2];
  if (pipe(ends)) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Finished result{-1, {}};
  if (!error) {
    char buffer[65536];
    const Clock::time_point end = Clock::now() + kPatience;
    for (ssize_t got; waits(ends[0], pid, end) && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
      result.output.append(buffer, static_cast<std::size_t>(got));
    int status = 0;
    waitpid(pid, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(ends[0]);
  if (error) throw std::runtime_error(command[0] + ": " + std::strerror(error));
  return result;
}

}  // namespace sweep
