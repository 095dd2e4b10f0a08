// SARIF 2.1.0: what code scanners exchange. A result per bug; its code flow has one thread flow per thread of the
// program, and executionOrder tells how they interleave.
#pragma once
#include "report/result.h"

namespace plait {

Json result_to_sarif(const CheckResult&, const std::string& version);

}  // namespace plait
