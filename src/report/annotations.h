// GitHub Actions: bugs as annotations at their lines. Written to standard error when GITHUB_ACTIONS is set; the runner
// reads both streams, and standard output stays what --format asks for.
#pragma once
#include <string>

#include "report/result.h"

namespace plait {

/// True in a job of GitHub Actions.
bool wants_annotations();
std::string annotations(const CheckResult&);

}  // namespace plait
