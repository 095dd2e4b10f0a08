// One check from start to end: explore, confirm what was found, write the files, and sum up.
#pragma once
#include "engine/check_options.h"
#include "report/result.h"

namespace plait {

CheckResult run_check_engine(const CheckOptions&, const BugProgram&);

}  // namespace plait
