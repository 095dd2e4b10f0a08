// What a user can ask of a check. cli/options.cc says what each option means.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "check/kinds.h"
#include "explore/registry.h"
#include "machine/memory_model.h"
#include "report/names.h"
#include "report/style.h"

namespace plait {

/// What mcr does unless it is told (docs/papers-tables.md, 002).
inline constexpr const char* kFastestDependence = "none";

struct CheckOptions {
  std::vector<std::string> targets;    // a program, or source files
  std::vector<std::string> arguments;  // after --
  std::string memory_model = "sc";
  MemoryModel model() const { return model_of(memory_model); }
  const machine::MemoryRules& rules() const { return machine::rules_of(model()); }
  std::string compare;  // with this memory model; empty: with none
  std::string explore = "cumulative";
  bool chose_explorer = false;
  const ExplorerInfo& explorer() const { return explorer_named(explore); }
  std::string solver = "native";
  std::string dependence;         // "none", "static", "static+"; empty: the fastest
  std::string races;              // "on", "off"; empty: as `check` says
  std::string check, ignore;      // lists of kinds; empty: the standard ones, none
  std::string exit_with_threads;  // "note", "bug"; empty: as `check` says
  /// What all of these together make a bug.
  KindSet checked() const;
  u32 jobs = 0;  // 0: all cores
  std::optional<double> timeout;
  std::optional<double> memory;  // gigabytes; none: half of the machine's
  double run_memory = 1;         // gigabytes that one run may allocate
  std::optional<u64> max_executions;
  std::optional<u64> max_paths;  // classes of inputs
  u32 max_events = 20000;
  u32 loop_seconds = 3;
  u64 seed = 1;
  std::optional<u32> preemption_bound;
  u32 pct_depth = 3;
  double solver_timeout = 10;
  std::string dump_queries;
  std::string resume;  // a directory
  bool sleep_sets = false;
  std::string merge = "on";
  bool spurious_wakeups = false;
  bool keep_going = false;
  bool self_check = false;
  u64 audit = 0;  // random runs after a `safe`
  bool outcomes = false;
  bool classes = false;
  bool paths = false;
  std::string strategy = "s2";  // mpc
  bool minimise = true;
  bool tests = false;  // record a run for each class of inputs
  bool gtest = false;
  bool trust_libraries = false;
  std::string inputs = "explore";         // or "fixed"
  std::vector<std::string> input_values;  // NAME=VALUE
  std::string symbolic_arguments;         // lengths
  std::optional<u32> symbolic_input;
  std::vector<std::string> symbolic_environment;  // NAME=LEN
  std::string config;                             // project file; read before the words are parsed
  bool no_config = false;
  std::string cluster;  // address of a Redis server; empty: this machine alone
  std::string key;      // file
  double cluster_patience = 60;
  bool cluster_whole = false;  // the whole exploration is one task: of one test among many
  std::string cflags;
  bool cflags_from_file = false;  // plait.toml: they are for those targets that are sources
  std::string input;              // file for the program's standard input, "-": ours
  std::string output_dir = "plait-out";
  std::string format = "text";
  ColorMode color = ColorMode::Auto;
  bool quiet = false;
  bool verbose = false;
};

}  // namespace plait
