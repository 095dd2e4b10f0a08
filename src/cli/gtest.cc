#include "cli/gtest.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "cli/check_output.h"
#include "engine/check_engine.h"
#include "host/process.h"
#include "host/program.h"
#include "report/files.h"
#include "report/junit.h"
#include "report/sarif.h"

namespace plait {
namespace {

struct CheckedTest {
  GTestName name;
  CheckResult result;
};

std::vector<GTestName> list_tests(const Program& program) {
  Descriptor output = make_memory_file("plait-tests", 0);
  Descriptor input = open_input(program);
  Launch launch = program_launch(program);
  launch.arguments.push_back("--gtest_list_tests");
  launch.input = input.number();
  launch.output = output.number();
  Process process(launch);
  ProcessEnd end = process.wait();
  Descriptor reading = reopen_for_reading(output.number());
  std::vector<GTestName> tests = parse_gtest_list(read_all(reading.number()));
  if (end.signal != 0 || end.exit_code != 0 || tests.empty())
    throw Error(kExitUsage, fmt::format("'{}' {} with --gtest_list_tests and named {} tests: is it a GoogleTest "
                                        "program, and does the filter match a test?",
                                        program.path, end.text(), tests.size()));
  return tests;
}

std::string directory_name(std::string test) {
  std::replace(test.begin(), test.end(), '/', '_');
  return test;
}

/// All tests as one: the worst verdict, all bugs, sums.
CheckResult combined(const std::vector<CheckedTest>& tests, const std::string& program) {
  CheckResult all;
  all.program = program;
  all.verdict = Verdict::Safe;
  all.complete = true;
  for (const CheckedTest& test : tests) {
    const CheckResult& one = test.result;
    all.explore = one.explore;
    if (one.verdict == Verdict::Bug || (one.verdict == Verdict::Inconclusive && all.verdict == Verdict::Safe))
      all.verdict = one.verdict;
    all.complete &= one.complete;
    all.interrupted |= one.interrupted;
    all.executions += one.executions;
    all.blocked_executions += one.blocked_executions;
    if (one.histories) all.histories = all.histories.value_or(0) + *one.histories;
    if (one.states) all.states = all.states.value_or(0) + *one.states;
    all.events += one.events;
    all.seconds += one.seconds;
    all.checked = one.checked;
    for (const std::string& input : one.inputs)
      if (std::find(all.inputs.begin(), all.inputs.end(), input) == all.inputs.end()) all.inputs.push_back(input);
    if (one.audit && (!all.audit || all.audit->surprise.empty())) all.audit = one.audit;
    all.notes.insert(all.notes.end(), one.notes.begin(), one.notes.end());
    all.bugs.insert(all.bugs.end(), one.bugs.begin(), one.bugs.end());
    for (const std::string& limit : one.limits) all.limits.push_back(test.name.full() + ": " + limit);
  }
  return all;
}

Json tests_json(const std::vector<CheckedTest>& tests, const CheckResult& all) {
  Json json = result_to_json(all);
  json["tests"] = Json::array();
  for (const CheckedTest& test : tests) {
    Json one = {{"name", test.name.full()}};
    one.update(result_to_json(test.result));
    json["tests"].push_back(one);
  }
  return json;
}

std::string summary(const std::vector<CheckedTest>& tests) {
  size_t counts[3] = {};
  for (const CheckedTest& test : tests) ++counts[static_cast<size_t>(test.result.verdict)];
  std::string text = fmt::format("{} {}: {} safe, {} with a bug, {} inconclusive\n", tests.size(),
                                 tests.size() == 1 ? "test" : "tests", counts[0], counts[1], counts[2]);
  for (const CheckedTest& test : tests)
    if (test.result.verdict != Verdict::Safe)
      text += fmt::format("  {}: {}{}\n", test.name.full(), verdict_name(test.result.verdict),
                          test.result.bugs.empty() ? "" : ", " + replay_hint(test.result.bugs[0]));
  return text;
}

}  // namespace

std::vector<GTestName> parse_gtest_list(const std::string& text) {
  std::vector<GTestName> tests;
  std::string suite;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    bool is_test = line.starts_with("  ");
    line = line.substr(0, line.find('#'));  // "# TypeParam = int"
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (!is_test) {
      // A program may print lines of its own before the list.
      bool is_suite = line.size() > 1 && line.back() == '.' && line.find(' ') == std::string::npos;
      suite = is_suite ? line.substr(0, line.size() - 1) : "";
    } else if (!suite.empty() && !line.empty()) {
      bool disabled = line.starts_with("DISABLED_") || suite.starts_with("DISABLED_") ||
                      suite.find("/DISABLED_") != std::string::npos;
      if (!disabled) tests.push_back({suite, line});
    }
  }
  return tests;
}

int run_gtest_check(const CheckOptions& options, const BugProgram& target) {
  std::vector<CheckedTest> tests;
  std::vector<GTestName> names = list_tests(target.program);
  for (const GTestName& name : names) {
    CheckOptions one = options;
    one.output_dir = options.output_dir + "/" + directory_name(name.full());
    prepare_directory(one.output_dir);
    BugProgram test = target;
    // The last filter counts; one that the user gave has chosen the tests already.
    test.program.arguments.push_back("--gtest_filter=" + name.full());
    test.program.arguments.push_back("--gtest_break_on_failure");
    CheckResult result = run_check_engine(one, test);
    result.program = name.full();
    archive_result(result, one.output_dir);
    annotate(result);
    if (options.format == "text") {
      print_out(fmt::format("[{}/{}] {}\n", tests.size() + 1, names.size(), name.full()));
      print_out(text_of(result, options));
    }
    tests.push_back({name, std::move(result)});
    if (tests.back().result.interrupted) break;
  }
  CheckResult all = combined(tests, target.program.path);
  return delivered(all, [&] {
    if (options.format == "json") print_out(json_text(tests_json(tests, all), 2) + "\n");
    if (options.format == "sarif") print_out(json_text(result_to_sarif(all, PLAIT_VERSION), 2) + "\n");
    if (options.format == "text") print_out("\n" + summary(tests));
    if (options.format == "junit") {
      std::vector<JUnitCase> cases;
      for (CheckedTest& test : tests) cases.push_back({test.name.suite, test.name.name, std::move(test.result)});
      print_out(junit_text(target.program.path, cases));
    }
  });
}

}  // namespace plait
