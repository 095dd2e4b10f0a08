#include "cli/debugger.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "host/error.h"
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
  for (const std::string& argument : program.arguments) run += " " + shell_word(argument);
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

void exec_recorder(const Program& program, const SessionMemory& session, const Worker& worker) {
  Launch launch = worker_launch(program, session, worker.channel_descriptor());
  pass_on(launch);
  for (const auto& [name, value] : launch.environment) setenv(name.c_str(), value.c_str(), 1);
  Descriptor input = open_input(program);
  if (dup2(input.number(), 0) < 0)
    throw Error(kExitInternal, fmt::format("cannot pass on the standard input: {}", std::strerror(errno)));
  std::vector<std::string> arguments = {"rr", "record", program.path};
  arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
  become(arguments, "rr");
}

}  // namespace plait
