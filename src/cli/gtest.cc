#include "cli/gtest.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "cli/check_output.h"
#include "cli/fleet.h"
#include "cli/target.h"
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

void add(std::optional<ReportedCluster>& all, const ReportedCluster& one) {
  if (!all) all.emplace();
  all->submitted += one.submitted;
  all->finished += one.finished;
  all->twice += one.twice;
  all->again += one.again;
  all->given_up += one.given_up;
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
    if (one.cluster) add(all.cluster, *one.cluster);
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

namespace {

/// One test of a GoogleTest program.
FleetCheck check_of(const CheckOptions& options, const BugProgram& target, const GTestName& name) {
  FleetCheck check{options, target};
  check.options.output_dir = options.output_dir + "/" + directory_name(name.full());
  prepare_directory(check.options.output_dir);
  // The last filter counts; one that the user gave has chosen the tests already.
  check.target.program.arguments.push_back("--gtest_filter=" + name.full());
  check.target.program.arguments.push_back("--gtest_break_on_failure");
  return check;
}

/// Checks all, and prints what came of them as `options` say.
int check_all(const CheckOptions& options, const std::string& what, const std::vector<GTestName>& names,
              std::vector<FleetCheck>& checks) {
  std::vector<CheckedTest> tests;
  const auto done = [&](size_t index, CheckResult&& result) {
    result.program = names[index].full();
    archive_result(result, checks[index].options.output_dir);
    annotate(result);
    if (options.format == "text") {
      print_out(fmt::format("[{}/{}] {}\n", index + 1, names.size(), names[index].full()));
      print_out(text_of(result, options));
    }
    tests.push_back({names[index], std::move(result)});
  };
  if (options.cluster.empty()) {
    for (size_t i = 0; i < checks.size() && (tests.empty() || !tests.back().result.interrupted); ++i)
      done(i, run_check_engine(checks[i].options, checks[i].target));
  } else {
    check_with_fleet(checks, done);
  }
  CheckResult all = combined(tests, what);
  return delivered(all, [&] {
    if (options.format == "json") print_out(json_text(tests_json(tests, all), 2) + "\n");
    if (options.format == "sarif") print_out(json_text(result_to_sarif(all, PLAIT_VERSION), 2) + "\n");
    if (options.format == "text") print_out("\n" + summary(tests));
    if (options.format == "junit") {
      std::vector<JUnitCase> cases;
      for (CheckedTest& test : tests) cases.push_back({test.name.suite, test.name.name, std::move(test.result)});
      print_out(junit_text(what, cases));
    }
  });
}

}  // namespace

int run_gtest_check(const CheckOptions& options, const BugProgram& target) {
  const std::vector<GTestName> names = list_tests(target.program);
  std::vector<FleetCheck> checks;
  for (const GTestName& name : names) checks.push_back(check_of(options, target, name));
  return check_all(options, target.program.path, names, checks);
}

bool is_for_fleet(const CheckOptions& options) {
  return !options.cluster.empty() && options.targets.size() > 1 &&
         std::none_of(options.targets.begin(), options.targets.end(), is_source);
}

int run_fleet_check(const CheckOptions& options) {
  std::vector<GTestName> names;
  std::vector<FleetCheck> checks;
  for (const std::string& path : options.targets) {
    CheckOptions one = options;
    one.targets = {path};
    const BugProgram target = prepare_target(one);
    if (options.gtest) {
      one.output_dir += "/" + directory_name(path);
      for (const GTestName& name : list_tests(target.program)) {
        names.push_back({path + ":" + name.suite, name.name});
        checks.push_back(check_of(one, target, name));
      }
      continue;
    }
    one.output_dir += "/" + directory_name(path);
    prepare_directory(one.output_dir);
    names.push_back({"", path});
    checks.push_back({one, target});
  }
  return check_all(options, "plait", names, checks);
}

}  // namespace plait
