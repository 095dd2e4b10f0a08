// The command line: one table of options (options.cc) that feeds parsing and --help. One file per subcommand.
// This folder owns the command: parsing, progress, exit codes. It may depend on everything in the engine.
#pragma once
#include <string>
#include <vector>

#include "cluster/worker_loop.h"
#include "engine/check_options.h"
#include "engine/explore_engine.h"

namespace plait {

struct ReplayOptions {
  bool trust = false;
  std::string file;
  bool gdb = false;
  bool rr = false;
  ColorMode color = ColorMode::Auto;
  bool quiet = false;
};

struct TestsOptions {
  std::string run;  // a directory with tests
};

struct DepsOptions {
  std::string site;  // FILE:LINE; empty: all lines
  bool dot = false;
};

struct ShowOptions {
  std::string file;
  std::string format = "text";
  std::string output;  // file to write to; empty: standard output
  bool verbose = false;
  ColorMode color = ColorMode::Auto;
};

/// plait explore: besides what it has in common with check.
struct ExploreCommand {
  RuntimeTarget target;
  std::string runtime;  // the name of one that comes with Plait
  std::string explore = runtime_explorers()[0].first;
};

struct ClusterCommand {
  std::string url;
  std::string format = "text";
};

enum class CommandKind { Check, Tests, Explore, Replay, Show, Deps, Worker, Cluster, Doctor, Done };

struct CommandLine {
  CommandKind kind = CommandKind::Done;
  int exit_code = 0;   // for Done: help, version or a usage error, already printed
  CheckOptions check;  // also of explore
  ExploreCommand explore;
  ReplayOptions replay;
  TestsOptions tests;
  ShowOptions show;
  DepsOptions deps;
  cluster::WorkerCommand worker;
  ClusterCommand cluster;
  ColorMode doctor_color = ColorMode::Auto;
};

CommandLine parse_command_line(int argc, char** argv);

int run_check(const CheckOptions&);
int run_explore(const CheckOptions&, const ExploreCommand&);
int run_tests(const CheckOptions&, const TestsOptions&);
int run_replay(const ReplayOptions&);
int run_show(const ShowOptions&);
int run_deps(const CheckOptions& target, const DepsOptions&);
int run_worker(const cluster::WorkerCommand&);
int run_cluster(const ClusterCommand&);
int run_doctor(ColorMode);
/// `plait c++ ARGS...` and `plait cc ARGS...`
int run_compile(bool cplusplus, const std::vector<std::string>& arguments);

/// Words of a command line, quotes understood.
std::vector<std::string> split_words(const std::string& text);

/// Columns of the terminal on `descriptor`, or a default.
size_t terminal_width(int descriptor);

}  // namespace plait
