#include "checker.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "command.h"

namespace sweep {
namespace {

std::string list(const std::set<std::string>& outcomes) {
  std::string text;
  for (const std::string& outcome : outcomes) text += outcome.substr(0, outcome.find('\n')) + " ";
  return text.empty() ? "none" : text;
}

using Races = std::set<std::pair<char, char>>;

std::string list(const Races& races) {
  std::string text;
  for (const auto& [one, other] : races) text += std::string{one, other, ' '};
  return text.empty() ? "none" : text;
}

/// How many local histories Plait knows at the end. Every one of them comes from a native run, so equal numbers are
/// equal sets.
std::uint64_t histories_of(const nlohmann::json& json) { return json.value("histories", std::uint64_t{0}); }

/// The letters of the accesses of interp.c by their lines.
const std::map<int, char>& access_lines(const std::string& source) {
  static const std::map<int, char> lines = [&] {
    std::map<int, char> found;
    std::ifstream in(source);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::size_t mark = line.find("// access ");
      if (mark != std::string::npos) found[number] = line.at(mark + 10);
    }
    if (found.empty()) throw std::runtime_error("no accesses in " + source);
    return found;
  }();
  return lines;
}

Races races_in(const Tools& tools, const nlohmann::json& json) {
  const std::map<int, char>& lines = access_lines(tools.interpreter_source);
  Races races;
  for (const nlohmann::json& bug : json.value("bugs", nlohmann::json::array())) {
    if (bug.value("kind", "") != "race") continue;
    const nlohmann::json failure = nlohmann::json::parse(std::ifstream(bug.value("schedule", "")))["failure"];
    const auto letter = [&](const nlohmann::json& place) {
      const auto found = lines.find(place.value("line", 0));
      return found == lines.end() ? '!' : found->second;
    };
    races.insert(std::minmax(letter(failure), letter(failure.value("other", nlohmann::json::object()))));
  }
  return races;
}

}  // namespace

const char* explorer_of(Mode mode) {
  return mode == Mode::Cumulative || mode == Mode::Merged ? "cumulative" : "exhaustive";
}

const char* name_of(Mode mode) {
  switch (mode) {
    case Mode::Exhaustive: return "exhaustive";
    case Mode::SleepSets: return "exhaustive with sleep sets";
    case Mode::Cumulative: return "cumulative without merging";
    case Mode::Merged: break;
  }
  return "cumulative";
}

std::string difference(const Tools& tools, const Program& program, const Enumeration& truth, MemoryModel model,
                       Mode mode) {
  const bool cumulative = mode == Mode::Cumulative || mode == Mode::Merged;
  const bool races = truth.races_known;
  std::vector<std::string> command = {tools.plait,
                                      "check",
                                      "--explore",
                                      explorer_of(mode),
                                      "--memory-model",
                                      name_of(model),
                                      "--keep-going",
                                      "--outcomes",
                                      "--format",
                                      "json",
                                      "--races",
                                      races ? "on" : "off",
                                      "-q",
                                      "--no-minimise",
                                      "-j",
                                      "1",
                                      "-o",
                                      tools.output_directory};
  if (mode == Mode::Merged || mode == Mode::Exhaustive) command.insert(command.end(), {"--audit", "5"});
  if (mode == Mode::SleepSets) command.push_back("--sleep-sets");
  if (mode == Mode::Cumulative) command.insert(command.end(), {"--merge", "off", "--classes"});
  for (const std::string& word : {tools.interpreter, std::string("--"), to_text(program)}) command.push_back(word);
  const Finished finished = run(std::move(command));
  const nlohmann::json json = nlohmann::json::parse(finished.output, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return "exit code " + std::to_string(finished.exit_code) + ", no JSON: " + finished.output;

  std::ostringstream text;
  const auto compare = [&](const char* what, const auto& expected, const auto& got) {
    if (expected != got) text << what << ": expected " << expected << ", got " << got << "\n";
  };
  const bool complete = json.value("complete", false);
  if (cumulative) {
    if (mode == Mode::Cumulative) {
      compare("histories", truth.histories, histories_of(json));
      const nlohmann::json classes = json.value("classes", nlohmann::json());
      compare("classes", std::to_string(truth.classes), classes.dump());
    }
    if (races) compare("races", list(truth.races), list(races_in(tools, json)));
  } else {
    const std::uint64_t all = truth.interleavings + truth.deadlocks;
    const std::uint64_t counted = json.value("interleavings", std::uint64_t{0});
    if (mode == Mode::Exhaustive) compare("interleavings", all, counted);
    if (counted > all) text << "interleavings: expected at most " << all << ", got " << counted << "\n";
  }
  compare("complete", true, complete);
  compare("exit code", truth.deadlocks || (races && !truth.races.empty()) ? 10 : 0, finished.exit_code);
  bool deadlock = false;
  for (const nlohmann::json& bug : json.value("bugs", nlohmann::json::array())) {
    const std::string kind = bug.value("kind", "");
    deadlock |= kind == "deadlock";
    if (kind != "deadlock" && !(races && kind == "race")) text << "unexpected bug: " << bug.dump() << "\n";
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
