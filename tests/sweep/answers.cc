#include "answers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "command.h"

namespace sweep {
namespace {

using Names = std::set<std::string>;
using nlohmann::json;

using Sites = std::map<std::pair<std::string, int>, std::string>;

/// The names of the lines of the interpreter that can fail: of accesses their letters, of others what their comments
/// say.
Sites read_sites(const std::string& source) {
  namespace fs = std::filesystem;
  Sites found;
  for (const char* name : {"interp.c", "interp_library.c"}) {
    std::ifstream in(fs::path(source).parent_path() / name);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      for (const std::string mark : {"// access ", "// site "})
        if (const std::size_t place = line.find(mark); place != std::string::npos)
          found[{name, number}] = line.substr(place + mark.size());
    }
  }
  if (found.empty()) throw std::runtime_error("no accesses in " + source);
  return found;
}

std::string site_of(const Sources& sources, const json& place) {
  static const Sites sites = read_sites(sources.interpreter_source);
  const std::string name = std::filesystem::path(place.value("file", "")).filename();
  const auto found = sites.find({name, place.value("line", 0)});
  return found == sites.end() ? name + ":" + std::to_string(place.value("line", 0)) : found->second;
}

std::string name_of_bug(const Sources& sources, const json& bug) {
  const std::string kind = bug.value("kind", "");
  if (kind == "deadlock" || kind == "livelock") return kind;
  if (kind == "infinite-loop") return "livelock";  // of one thread that nobody can help
  if (kind != "race") return kind + "@" + site_of(sources, bug);
  const json failure = json::parse(std::ifstream(bug.value("schedule", "")), nullptr, false)["failure"];
  const std::string one = site_of(sources, failure);
  const std::string other = site_of(sources, failure.value("other", json::object()));
  return "race " + std::min(one, other) + std::max(one, other);
}

std::string list(const Names& names) {
  std::string text;
  for (std::string name : names) {
    std::replace(name.begin(), name.end(), '\n', '.');
    text += " " + name;
  }
  return text;
}

Names without(const Names& all, const Names& some) {
  Names rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(rest, rest.end()));
  return rest;
}

void compare(std::ostream& out, const char* what, const Names& expected, const Names& got) {
  const Names missing = without(expected, got), surplus = without(got, expected);
  if (!missing.empty()) out << what << " missed:" << list(missing) << "\n";
  if (!surplus.empty()) out << what << " that cannot be:" << list(surplus) << "\n";
}

std::vector<std::string> command_of(const Sources& sources, const Program& program, MemoryModel model,
                                    const Question& question, bool races) {
  std::vector<std::string> command = {sources.plait, "check"};
  for (const std::string& option : question.options) command.push_back(option);
  if (question.keep_going) command.insert(command.end(), {"--keep-going", "--outcomes"});
  if (question.audit) command.insert(command.end(), {"--audit", "20"});
  command.insert(command.end(), {"--memory-model",
                                 name_of(model),
                                 "--races",
                                 races ? "on" : "off",
                                 "--format",
                                 "json",
                                 "-q",
                                 "--no-minimise",
                                 "--no-config",
                                 "--timeout",
                                 "600",
                                 "--loop-seconds",
                                 "1",
                                 "--max-events",
                                 "5000",
                                 "-o",
                                 sources.output_directory,
                                 question.options[1] == "paths" ? sources.path_interpreter() : sources.interpreter,
                                 "--",
                                 to_text(program)});
  return command;
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {{"--explore", "cumulative", "-j", "1"}, true, false, true},
      {{"--explore", "cumulative", "--merge", "off", "-j", "1"}, true, false, false},
      {{"--explore", "cumulative", "-j", "2"}, true, false, true},
      {{"--explore", "cumulative", "-j", "1"}, false, false, true},
      {{"--explore", "paths", "-j", "1"}, true, false, false},
      {{"--explore", "paths", "-j", "2"}, false, false, false},
      {{"--explore", "mcr", "-j", "1"}, true, false, false},
      {{"--explore", "mcr", "-j", "2"}, true, false, false},
      {{"--explore", "dpor", "-j", "1"}, true, false, false},
      {{"--explore", "dpor", "-j", "1"}, false, false, false},
      {{"--explore", "icb", "-j", "1"}, true, true, false},
      {{"--explore", "exhaustive", "-j", "1"}, true, true, false},
      {{"--explore", "exhaustive", "--sleep-sets", "-j", "2"}, true, true, false},
  };
  return all;
}

std::string name_of(const Question& question) {
  std::string name;
  for (std::size_t i = 1; i < question.options.size(); ++i) name += question.options[i] + " ";
  return name + (question.keep_going ? "--keep-going" : "(first bug)") + (question.audit ? " --audit" : "");
}

bool is_safe(const Family& family, const Reachable& truth) {
  return truth.bugs.empty() && (truth.races.empty() || !family.races || !truth.races_known);
}

std::string mistake(const Sources& sources, const Family& family, const Program& program, const Reachable& truth,
                    MemoryModel model, const Question& question) {
  const bool races = family.races && truth.races_known;
  const Finished finished = run(command_of(sources, program, model, question, races));
  const json answer = json::parse(finished.output, nullptr, false);
  if (!answer.is_object()) return "no answer, exit code " + std::to_string(finished.exit_code) + "\n";
  Names expected = truth.bugs, bugs, outcomes;
  if (races)
    for (const std::string& race : truth.races) expected.insert("race " + race);
  bool left_threads = false;
  for (const json& bug : answer.value("bugs", json::array())) {
    const std::string name = name_of_bug(sources, bug);
    // An end of the program while threads run is legal.
    if (name.starts_with("exit-with-threads"))
      left_threads = true;
    else
      bugs.insert(name);
  }
  std::ostringstream out;
  if (!question.keep_going) {
    if (left_threads) return "";  // that one came first
    compare(out, "bugs", bugs.empty() ? expected : bugs, bugs);
    compare(out, "bugs", {}, without(bugs, expected));
    if (answer["verdict"] != (expected.empty() ? "safe" : "bug")) out << "verdict " << answer["verdict"] << "\n";
    return out.str();
  }
  compare(out, "bugs", expected, bugs);
  for (const json& outcome : answer.value("outcomes", json::array())) outcomes.insert(outcome.value("stdout", ""));
  compare(out, "outcomes", truth.outcomes, outcomes);
  const int exit_code = expected.empty() && !left_threads ? 0 : 10;
  // A run that goes into a livelock is ended by its length.
  const bool cut = truth.bugs.contains("livelock") && answer["limits"].dump().find("max-events") != std::string::npos;
  if (!answer.value("complete", false) && !cut) out << "not complete: " << answer["limits"].dump() << "\n";
  if (finished.exit_code != exit_code) out << "exit code " << finished.exit_code << "\n";
  if (cut && !out.str().empty()) out << "limits: " << answer["limits"].dump() << "\n";
  return out.str();
}

}  // namespace sweep
