#include "cli/debugger.h"

#include <fmt/core.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "report/style.h"

namespace plait {
namespace {

void pass_on(const Launch& launch) {
  for (auto [ours, theirs] : launch.descriptors)
    if (dup2(ours, theirs) < 0)
      throw Error(kExitInternal, fmt::format("cannot pass on a descriptor: {}", std::strerror(errno)));
}

[[noreturn]] void become(std::vector<std::string>& arguments, const std::string& package) {
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  throw Error(kExitUsage,
              fmt::format("cannot run {}: {} (install the package {})", arguments[0], std::strerror(errno), package));
}

}  // namespace

void exec_debugger(const Program& program, const SessionMemory& session, const Worker& worker,
                   const std::string& bug_file) {
  Launch launch = worker_launch(program, session, worker.channel_descriptor());
  pass_on(launch);
  std::vector<std::string> arguments = {"gdb", "-q", "-iex", "set confirm off", "-iex", "set breakpoint pending on"};
  auto command = [&](const std::string& text) {
    arguments.push_back("-ex");
    arguments.push_back(text);
  };
  std::string run = "run";
  for (const std::string& argument : launch.arguments) run += " " + shell_word(argument);
  run += " < " + shell_word(program.input_path.empty() ? "/dev/null" : program.input_path);
  // For the gdb commands; the inferior must not see them.
  setenv("PLAIT_BUG", bug_file.c_str(), 1);
  setenv("PLAIT_RUN", run.c_str(), 1);
  command("unset environment PLAIT_BUG");
  command("unset environment PLAIT_RUN");
  // Only the inferior becomes a worker: gdb itself may run instrumented helpers.
  for (const auto& [name, value] : launch.environment) command(fmt::format("set environment {} {}", name, value));
  command("set disable-randomization on");
  std::error_code error;
  std::filesystem::path script =
      std::filesystem::canonical("/proc/self/exe", error).parent_path().parent_path() / "lib/plait/gdb/plait.py";
  if (access(script.c_str(), R_OK) != 0)
    throw Error(kExitUsage, fmt::format("'{}' is missing: install or build Plait again", script.string()));
  command("source " + script.string());
  command(run);
  command("plait-failure");
  command("echo plait-threads: all threads; plait-start, then plait-next: step by event; help plait-next\\n");
  arguments.push_back(program.path);
  become(arguments, "gdb");
}

void record_with_rr(const Program& program, const SessionMemory& session, const Worker& worker) {
  Launch launch = worker_launch(program, session, worker.channel_descriptor());
  Descriptor input = open_input(program);
  std::fflush(nullptr);
  pid_t child = fork();
  if (child < 0) throw Error(kExitInternal, fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    try {
      pass_on(launch);
      for (const auto& [name, value] : launch.environment) setenv(name.c_str(), value.c_str(), 1);
      dup2(input.number(), 0);
      std::vector<std::string> arguments = {"rr", "record", program.path};
      arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
      become(arguments, "rr");
    } catch (const Error& error) {
      fmt::print(stderr, "plait: {}\n", error.what());
    }
    _exit(kExitUsage);
  }
  // The program waits for more to do once it has answered: it is told that there is nothing.
  Channel& channel = worker.channel();
  int status = 0;
  pid_t ended = 0;
  while (__atomic_load_n(&channel.turn, __ATOMIC_ACQUIRE) == Channel::kWorker &&
         (ended = waitpid(child, &status, WNOHANG)) == 0)
    usleep(1000);
  __atomic_store_n(&channel.turn, Channel::kQuit, __ATOMIC_RELEASE);
  syscall(SYS_futex, &channel.turn, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  if (ended == 0) waitpid(child, &status, 0);
  if (channel.done == 0)
    throw Error(kExitUsage, "rr did not record the run (it needs performance counters; see rr's own message above)");
}

}  // namespace plait
