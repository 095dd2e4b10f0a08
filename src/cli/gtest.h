// plait check --gtest: each test of a GoogleTest program is a check of its own.
#pragma once
#include "cli/options.h"
#include "report/bug.h"
#include "report/result.h"

namespace plait {

struct GTestName {
  std::string suite, name;
  std::string full() const { return suite.empty() ? name : suite + "." + name; }
};

/// Reads what --gtest_list_tests prints. Disabled tests are left out.
std::vector<GTestName> parse_gtest_list(const std::string& text);

/// Checks all tests, prints the results, returns the exit code: that of the worst test.
int run_gtest_check(const CheckOptions&, const BugProgram& target);

/// Several programs on a cluster, with --gtest all tests of them: likewise.
bool is_for_fleet(const CheckOptions&);
int run_fleet_check(const CheckOptions&);

}  // namespace plait
