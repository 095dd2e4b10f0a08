// JUnit XML, as test dashboards read it: a test case per check.
#pragma once
#include <vector>

#include "report/result.h"

namespace plait {

struct JUnitCase {
  std::string suite;  // "classname"
  std::string name;
  CheckResult result;
};

/// Bugs are failures with their stories; an inconclusive check is an error: nothing was shown.
std::string junit_text(const std::string& suites, const std::vector<JUnitCase>&);

}  // namespace plait
