#include "cli/debugger.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "host/error.h"

namespace plait {
namespace {

/// For gdb's `run < file`: its inferior is started by a shell.
std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

void exec_debugger(const Program& program, const SessionMemory& session, const Worker& worker) {
  Launch launch = worker_launch(program, session, worker.channel_descriptor());
  for (auto [ours, theirs] : launch.descriptors)
    if (dup2(ours, theirs) < 0)
      throw Error(kExitInternal, fmt::format("cannot pass on a descriptor: {}", std::strerror(errno)));
  std::vector<std::string> arguments = {"gdb", "-q", "-iex", "set confirm off", "-iex", "set breakpoint pending on"};
  auto command = [&](const std::string& text) {
    arguments.push_back("-ex");
    arguments.push_back(text);
  };
  // Only the inferior becomes a worker: gdb itself may run instrumented helpers.
  for (const auto& [name, value] : launch.environment) command(fmt::format("set environment {} {}", name, value));
  command("set disable-randomization on");
  // The runtime turns faults of the program into failures; the stop comes from the trap that it raises then.
  command("handle SIGSEGV SIGBUS SIGFPE SIGILL nostop noprint pass");
  command("handle SIGPROF SIGVTALRM SIGALRM nostop noprint pass");
  std::string run = "run";
  for (const std::string& argument : program.arguments) run += " " + shell_quoted(argument);
  run += " < " + shell_quoted(program.input_path.empty() ? "/dev/null" : program.input_path);
  command(run);
  arguments.push_back(program.path);
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  execvp("gdb", argv.data());
  throw Error(kExitUsage, fmt::format("cannot run gdb: {} (install the package gdb)", std::strerror(errno)));
}

}  // namespace plait
