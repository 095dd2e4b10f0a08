// The result of a check, as the one JSON object of the command's contract and as text.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/bug_json.h"
#include "report/comparison.h"
#include "report/style.h"

namespace plait {

enum class Verdict { Safe, Bug, Inconclusive };

struct ReportedBug {
  Bug bug;
  std::string file;  // its bug file
};

struct ReportedOutcome {
  std::string output;
  std::string file;
};

/// What an explorer asked a solver.
struct SolverUse {
  std::string backend = "native";
  u64 queries = 0, sat = 0, unsat = 0, unknown = 0;
  double seconds = 0, slowest = 0;
};

struct CheckResult {
  std::string program;  // what was checked, as the user named it
  Verdict verdict = Verdict::Inconclusive;
  bool complete = false;
  std::string explore;
  std::string memory_model = "sc";
  u64 executions = 0;
  u64 blocked_executions = 0;
  std::optional<u64> interleavings;  // of explorers that enumerate them
  std::optional<u64> histories, merged, alike, states, classes;
  u64 events = 0;
  double seconds = 0;
  SolverUse solver;
  std::vector<ReportedBug> bugs;
  bool collected_outcomes = false;
  std::vector<ReportedOutcome> outcomes;
  std::vector<std::string> limits;  // what kept the search from being complete, one line each
  std::optional<ReportedComparison> comparison;  // --compare
  bool interrupted = false;
};

const char* verdict_name(Verdict);

Json result_to_json(const CheckResult&);

struct ResultTextOptions {
  Style style{false};
  size_t width = 110;
  bool quiet = false;
  bool verbose = false;
  std::string command = "plait";  // for the replay line
};
std::string result_text(const CheckResult&, const ResultTextOptions&);

/// "yes", or "no" with the reason: what the verdict rests on.
std::string completeness(const CheckResult&);

/// As DESIGN's contract of the command says.
int exit_code(const CheckResult&);

}  // namespace plait
