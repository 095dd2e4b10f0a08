// plait tests: a run for each class of inputs, and the bugs, as files for plait replay, with a list of them; and all of
// them once more.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "check/kinds.h"
#include "cli/check_output.h"
#include "cli/options.h"
#include "cli/target.h"
#include "compile/process.h"
#include "engine/check_engine.h"
#include "engine/monitor.h"
#include "report/files.h"
#include "report/inputs.h"
#include "report/story.h"

namespace plait {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndex = "index.json";
constexpr const char* kScript =
    "#!/bin/sh\n# Which of these runs differ now?\nexec plait tests --run \"$(dirname \"$0\")\" \"$@\"\n";

struct Test {
  std::string file;  // in the directory
  std::string inputs;
  std::string bug;  // what it shows; empty: nothing
};

std::vector<Test> tests_of(const CheckResult& result) {
  std::vector<Test> tests;
  const auto name = [](const std::string& file) { return fs::path(file).filename().string(); };
  for (const ReportedTest& test : result.tests)
    if (!test.file.empty()) tests.push_back({name(test.file), test.inputs, ""});
  for (const ReportedBug& bug : result.bugs)
    if (!bug.file.empty())
      tests.push_back({name(bug.file), inputs_text(bug.bug.visibility.inputs), headline(bug.bug, Style(false))});
  return tests;
}

void write_index(const std::string& directory, const CheckResult& result, const std::vector<Test>& tests) {
  Json list = Json::array();
  std::string text = fmt::format("{}: {} tests ({})\n", result.program, tests.size(), verdict_name(result.verdict));
  for (const Test& test : tests) {
    list.push_back({{"file", test.file},
                    {"inputs", test.inputs},
                    {"expected", test.bug.empty() ? "safe" : "bug"},
                    {"bug", test.bug.empty() ? Json(nullptr) : Json(test.bug)}});
    text += fmt::format("{}  {}{}\n", test.file, test.inputs.empty() ? "no inputs" : test.inputs,
                        test.bug.empty() ? "" : "  BUG: " + test.bug);
  }
  const Json index = {{"format", "plait-tests"},
                      {"program", result.program},
                      {"verdict", verdict_name(result.verdict)},
                      {"complete", result.complete},
                      {"tests", list}};
  write_file((fs::path(directory) / kIndex).string(), json_text(index, 2) + "\n");
  write_file((fs::path(directory) / "tests.txt").string(), text);
  const fs::path script = fs::path(directory) / "run.sh";
  write_file(script.string(), kScript);
  fs::permissions(script, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
}

std::vector<Test> read_index(const std::string& directory) {
  const std::string file = (fs::path(directory) / kIndex).string();
  std::vector<Test> tests;
  try {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("there is no such file");
    const Json index = Json::parse(in);
    if (index.at("format") != "plait-tests") throw std::runtime_error("it is no list of tests");
    for (const Json& test : index.at("tests")) {
      const std::string name = test.at("file");
      if (name.find('/') != std::string::npos) throw std::runtime_error("it is damaged: a name");
      tests.push_back({name, test.at("inputs"), test.at("expected") == "bug" ? test.at("bug") : ""});
    }
  } catch (const std::exception& error) {
    throw Error(kExitUsage, fmt::format("cannot use '{}': {}", file, error.what()));
  }
  return tests;
}

/// One line about the run, as `plait replay` tells it; empty: it is as recorded.
std::string difference_of(const std::string& directory, const Test& test) {
  const std::string command = fs::canonical("/proc/self/exe").string();
  const Captured done = capture({command, "replay", "-q", (fs::path(directory) / test.file).string()});
  if (done.status == (test.bug.empty() ? kExitSafe : kExitBug)) return "";
  if (done.status == kExitUsage) throw Error(kExitUsage, fmt::format("{}: {}", test.file, done.output));
  const size_t line = done.output.rfind("plait: ");
  const std::string told =
      line == std::string::npos ? "" : done.output.substr(line + 7, done.output.find('\n', line) - line - 7);
  return told.empty() ? fmt::format("exit code {}", done.status) : told;
}

int run_again(const CheckOptions& options, const std::string& directory) {
  const std::vector<Test> tests = read_index(directory);
  size_t different = 0, bugs = 0;
  for (const Test& test : tests) {
    const std::string difference = difference_of(directory, test);
    different += !difference.empty();
    bugs += difference.empty() && !test.bug.empty();
    if (!difference.empty())
      fmt::print("{} differs now: {}\n", test.file, difference);
    else if (!test.bug.empty() && !options.quiet)
      fmt::print("{} still fails: {}\n", test.file, test.bug);
  }
  fmt::print("{} tests: {} differ now, {} still fail, {} pass\n", tests.size(), different, bugs,
             tests.size() - different - bugs);
  return different ? kExitInconclusive : bugs ? kExitBug : kExitSafe;
}

}  // namespace

int run_tests(const CheckOptions& wanted, const TestsOptions& tests) {
  if (!tests.run.empty()) return run_again(wanted, tests.run);
  const OutputDirectory directory(wanted.output_dir);
  CheckOptions options = wanted;
  options.output_dir = directory.name();
  options.keep_going = options.tests = true;
  const BugProgram target = prepare_target(options);
  catch_interrupts();
  const CheckResult result = run_check_engine(options, target);
  const std::vector<Test> made = tests_of(result);
  write_index(options.output_dir, result, made);
  return delivered(result, [&] {
    print_out(formatted(result, options));
    if (options.format == "text")
      print_out(fmt::format("{} tests in {} (plait tests --run {})\n", made.size(), options.output_dir,
                            shell_word(options.output_dir)));
  });
}

}  // namespace plait
