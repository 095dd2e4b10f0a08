// What the options of a check mean to its parts.
#pragma once
#include "engine/check_options.h"
#include "explore/explorer.h"
#include "host/worker.h"
#include "report/result.h"
#include "report/resume.h"

namespace plait {

SessionOptions session_options(const CheckOptions& options);
ExploreOptions explore_options(const CheckOptions& options, const std::string& program);
WorkerOptions worker_options(const CheckOptions& options);
/// What solvers were asked.
SolverUse solver_use(const Counters& counters, const std::string& backend);
/// Throws Error (usage) if what was left for later is of another program or memory model.
void require_same_check(const Resume& resume, const CheckOptions& options, const std::string& identity);
/// Of a set of input_kind, in words.
std::vector<std::string> input_names(u32 kinds);

}  // namespace plait
