#include "compile/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace plait {

std::vector<char*> exec_arguments(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

namespace {

int status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int run(const std::vector<std::string>& command) {
  const std::vector<char*> argv = exec_arguments(command);
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[0], argv.data());
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  if (child > 0) return status_of(child);
  dprintf(STDERR_FILENO, "cannot start a process: %s\n", strerror(errno));
  return 127;
}

Captured capture(const std::vector<std::string>& command) {
  const std::vector<char*> argv = exec_arguments(command);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {127, std::string("cannot make a pipe: ") + strerror(errno) + "\n"};
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    return {127, std::string("cannot start a process: ") + strerror(error) + "\n"};
  }
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execvp(argv[0], argv.data());
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  close(ends[1]);
  Captured result;
  char buffer[4096];
  while (true) {
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got > 0) result.output.append(buffer, static_cast<size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  close(ends[0]);
  result.status = status_of(child);
  return result;
}

}  // namespace plait
