#include "explorer_answers.h"

#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace sweep {

Answer answer_of(const std::string& plait, const std::string& interpreter, const std::string& output_directory,
                 const Program& program, const std::vector<std::string>& options) {
  std::string command =
      "'" + plait + "' check --keep-going --outcomes --format json --races off --audit 5 -o '" + output_directory + "'";
  for (const std::string& option : options) command += " " + option;
  const std::string messages = output_directory + "/messages";
  command += " '" + interpreter + "' -- '" + to_text(program) + "' 2>'" + messages + "'";
  Answer answer;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) {
    answer.problem = "cannot run " + command;
    return answer;
  }
  std::string output;
  char buffer[65536];
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, got);
  const int status = pclose(pipe);
  answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  const nlohmann::json json = nlohmann::json::parse(output, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    answer.problem = "exit code " + std::to_string(answer.exit_code) + ", no JSON: " + output;
    return answer;
  }
  // A prediction that a run contradicts: the answer is right all the same, but not by the explorer's own means.
  std::ifstream in(messages);
  for (std::string line; std::getline(in, line);)
    if (line.find("cannot be predicted") != std::string::npos) answer.problem += line + ";";
  answer.complete = json.value("complete", false);
  answer.executions = json.value("executions", std::uint64_t{0});
  answer.blocked = json.value("blocked_executions", std::uint64_t{0});
  if (json["interleavings"].is_number()) answer.interleavings = json["interleavings"];
  answer.queries = json["solver"].value("queries", std::uint64_t{0});
  for (const nlohmann::json& bug : json["bugs"]) {
    if (bug.value("kind", "") == "deadlock")
      answer.deadlock = true;
    else
      answer.problem = "unexpected bug: " + bug.dump();
  }
  for (const nlohmann::json& outcome : json["outcomes"]) answer.outcomes.insert(outcome.value("stdout", ""));
  return answer;
}

}  // namespace sweep
