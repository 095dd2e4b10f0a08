// The result of a check, as the one JSON object of the command's contract and as text.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "check/kinds.h"
#include "report/bug_json.h"
#include "report/comparison.h"
#include "report/style.h"

namespace plait {

enum class Verdict { Safe, Bug, Inconclusive };

struct ReportedBug {
  Bug bug;
  std::string file;  // its bug file; empty: it could not be written
};

/// "plait replay FILE", or that there is no file.
std::string replay_hint(const ReportedBug&, const std::string& command = "plait");

struct ReportedOutcome {
  std::string output;
  std::string file;
};

/// One run of each class of inputs (plait tests).
struct ReportedTest {
  std::string inputs;  // in words
  std::string file;
};

/// An input that the check has explored (docs/inputs.md).
struct ReportedInput {
  std::string name;
  u32 bits = 0;
  u64 values = 0;    // that runs were made with
  std::string type;  // "i32", "u8"
};

/// Something that the check has seen and that is no bug: legal, or ignored.
struct ReportedNote {
  FailureKind kind;
  std::string message;
  Place place;
};

/// What hid something from traces, and what that cost.
struct ReportedOpaque {
  std::string why;
  Place place;
  std::string cost;
};

/// Random schedules after a `safe` (check/audit.h).
struct ReportedAudit {
  u64 runs = 0;
  std::string surprise;  // empty: nothing that was not known
  Place place;
  std::string file;  // the surprising run, to be replayed
};

/// Tasks of a check on a cluster. Each that was submitted has finished, or was given up.
struct ReportedCluster {
  u64 submitted = 0, finished = 0;
  u64 twice = 0;  // results that came once more, and did not count
  u64 again = 0;  // submitted once more, because Redis had lost them
  u64 given_up = 0;
};

/// What an explorer asked a solver.
struct SolverUse {
  std::string backend = "native";
  u64 queries = 0, sat = 0, unsat = 0, unknown = 0;
  double seconds = 0, slowest = 0;
  u64 reads = 0, constraints = 0;  // that had to keep their values; writes that could have given them
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
  std::optional<u64> histories, merged, alike, states, classes, paths;
  u64 events = 0;
  double seconds = 0;
  SolverUse solver;
  KindSet checked = KindSet::standard();  // kinds of failures that were looked for
  std::vector<ReportedBug> bugs;
  std::vector<ReportedNote> notes;
  std::vector<std::string>
      inputs;  // what the program took from outside, in words: the verdict is about these values only
  std::vector<ReportedInput> explored;  // inputs, by name: the verdict is about all of their values
  u64 input_classes = 0;                // in how many classes
  std::vector<ReportedTest> tests;
  std::vector<ReportedOpaque> opaque;
  bool collected_outcomes = false;
  std::vector<ReportedOutcome> outcomes;
  std::vector<std::string> limits;               // what kept the search from being complete, one line each
  std::optional<ReportedAudit> audit;            // --audit, if the verdict was `safe`
  std::optional<ReportedComparison> comparison;  // --compare
  std::optional<ReportedCluster> cluster;        // --cluster
  bool interrupted = false;
  bool of_runtime = false;  // of others: plait explore
};

const char* verdict_name(Verdict);

/// "fixed", "explored", "none"
const char* inputs_word(const CheckResult&);

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

/// As docs/usage.md says.
int exit_code(const CheckResult&);

}  // namespace plait
