#include "checker.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

extern char** environ;

namespace sweep {
namespace {

struct Finished {
  int exit_code;
  std::string output;
};

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
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
      result.output.append(buffer, static_cast<std::size_t>(got));
    int status = 0;
    waitpid(pid, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(ends[0]);
  if (error) throw std::runtime_error(command[0] + ": " + std::strerror(error));
  return result;
}

std::string list(const std::set<std::string>& outcomes) {
  std::string text;
  for (const std::string& outcome : outcomes) text += outcome.substr(0, outcome.find('\n')) + " ";
  return text.empty() ? "none" : text;
}

}  // namespace

std::string difference(const Tools& tools, const Program& program, const Enumeration& truth, Mode mode) {
  std::vector<std::string> command = {tools.plait,  "check",    "--explore", mode == Mode::Cumulative ? "cumulative" : "exhaustive", "--keep-going",
                                      "--outcomes", "--format", "json",      "--races",    "off",
                                      "-q",         "-j",       "1",         "-o",         tools.output_directory};
  if (mode == Mode::SleepSets) command.push_back("--sleep-sets");
  for (const std::string& word : {tools.interpreter, std::string("--"), to_text(program)}) command.push_back(word);
  const Finished finished = run(std::move(command));
  const nlohmann::json json = nlohmann::json::parse(finished.output, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return "exit code " + std::to_string(finished.exit_code) + ", no JSON: " + finished.output;

  std::ostringstream text;
  const auto compare = [&](const char* what, const auto& expected, const auto& got) {
    if (expected != got) text << what << ": expected " << expected << ", got " << got << "\n";
  };
  const std::uint64_t all = truth.interleavings + truth.deadlocks;
  const std::uint64_t counted = mode == Mode::Cumulative ? 0 : json.value("interleavings", std::uint64_t{0});
  if (mode == Mode::Exhaustive) compare("interleavings", all, counted);
  if (mode != Mode::Cumulative && counted > all) text << "interleavings: expected at most " << all << ", got " << counted << "\n";
  compare("complete", true, json.value("complete", false));
  compare("exit code", truth.deadlocks ? 10 : 0, finished.exit_code);
  bool deadlock = false;
  for (const nlohmann::json& bug : json.value("bugs", nlohmann::json::array())) {
    if (bug.value("kind", "") == "deadlock")
      deadlock = true;
    else
      text << "unexpected bug: " << bug.dump() << "\n";
  }
  compare("deadlock found", truth.deadlocks > 0, deadlock);
  std::set<std::string> outcomes;
  for (const nlohmann::json& outcome : json.value("outcomes", nlohmann::json::array()))
    outcomes.insert(outcome.value("stdout", ""));
  if (outcomes != truth.outcomes)
    text << "outcomes: expected " << list(truth.outcomes) << "\n          got " << list(outcomes) << "\n";
  return text.str();
}

}  // namespace sweep
