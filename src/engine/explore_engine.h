// One exploration of a runtime of others, from start to end (plait explore), and the replay of what it found.
#pragma once
#include "engine/check_options.h"
#include "report/result.h"

namespace plait {

/// What plait explore is told besides the options that it shares with plait check.
struct RuntimeTarget {
  std::vector<std::string> command;
  std::string relations;  // a file; empty: the one beside the runtime, if there is one
  double timeout = 10;    // seconds of silence
  bool shortest_seeds = false;
  bool own = false;  // it comes with Plait, and can be started without asking
};

/// How runtimes of others can be explored: names and summaries for --help.
std::vector<std::pair<std::string, std::string>> runtime_explorers();

CheckResult run_explore_engine(const CheckOptions&, const RuntimeTarget&);

/// The recorded events once more, in a fresh process of the bug's runtime: what came of it. Throws Error.
Bug replay_with_runtime(const Bug& bug);

}  // namespace plait
