// One table: what an execution costs end to end, what it would cost with a process for each, what compiling costs.
// A missed goal is printed, not an error: the exit code is 1 only when something could not be measured.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "measure.h"

namespace plait::bench {
namespace {

constexpr int kRepeats = 5;      // the best counts: everything else is somebody else's work
constexpr int kProcesses = 300;  // executions of the runners that use a process for each

struct Subject {
  const char* source;
  const char* compiler;
  long executions;  // bound; 0: all
  double goal;      // executions per CPU second
};
constexpr Subject kSubjects[] = {
    {"counter22.c", "cc", 0, 500000},
    {"store200.cc", "c++", 200000, 60000},
};
constexpr double kForkGoal = 200;
constexpr double kModelGoal = 2;  // cost of a run with store buffers against one without
constexpr long kRandomRuns = 50000;
constexpr double kCompileGoal = 1.3;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

void row(const std::string& name, const char* value_format, double value, double goal, bool at_most = false) {
  std::printf("%-58s ", name.c_str());
  std::printf(value_format, value);
  if (goal > 0) {
    const bool met = at_most ? value <= goal : value >= goal;
    std::printf("  %s", at_most ? "<=" : ">=");
    std::printf(value_format, goal);
    std::printf("  %5.2f x  %s", value / goal, met ? "met" : at_most ? "above goal" : "below goal");
  }
  std::printf("\n");
  std::fflush(stdout);
}

class Benchmark {
 public:
  explicit Benchmark(std::string directory) : directory_(std::move(directory)) {}

  void run() {
    std::printf("%-58s %12s  %14s  %7s\n", "", "measured", "goal", "of goal");
    for (const Subject& subject : kSubjects) executions(subject);
    for (const char* name : {"rvexample", "bakery", "stackunsafe", "counter"}) memory_models(name);
    compile_time();
  }

 private:
  void executions(const Subject& subject) {
    const std::string name = subject.source, program = directory_ + "/program";
    if (measure({PLAIT_COMMAND, subject.compiler, PROGRAMS "/" + name, "-o", program}).exit_code != 0)
      fail("cannot compile " + name);
    const double speed = check_speed(subject, program);
    row(name + ": executions per CPU second, end to end", "%12.0f", speed, subject.goal);
    const double exec_seconds = with_exec(program), fork_seconds = with_fork(program);
    row(name + ": fork and exec per execution, microseconds", "%12.1f", exec_seconds * 1e6, 0);
    row(name + ": fork alone per execution, microseconds", "%12.1f", fork_seconds * 1e6, 0);
    row(name + ": times faster than fork and exec", "%12.1f", exec_seconds * speed, kForkGoal);
    row(name + ": times faster than fork alone", "%12.1f", fork_seconds * speed, 0);
  }

  /// The same number of random runs under each model.
  void memory_models(const std::string& name) {
    const std::string program = directory_ + "/model";
    if (measure({PLAIT_COMMAND, "cc", "-w", PROGRAMS "/papers/" + name + ".c", "-o", program}).exit_code != 0)
      fail("cannot compile " + name);
    auto cost = [&](const std::string& model) {
      double best = 1e9;
      for (int i = 0; i < kRepeats; ++i) {
        const Measured ran =
            measure({PLAIT_COMMAND, "check", "--memory-model", model, "--explore", "random", "--max-executions",
                     std::to_string(kRandomRuns), "-j1", "-q", "--format", "json", "-o", directory_ + "/out", program});
        const auto json = nlohmann::json::parse(ran.output, nullptr, false);
        if (json.is_discarded() || ran.exit_code != 5) fail("plait check " + name + ": " + ran.output);
        best = std::min(best, ran.cpu_seconds / json.at("executions").get<double>());
      }
      return best;
    };
    const double sc = cost("sc");
    for (const char* model : {"tso", "pso"})
      row(name + ": a run under " + model + " against one under sc", "%12.2f", cost(model) / sc, kModelGoal, true);
  }

  /// Engine and worker together, start-up included.
  double check_speed(const Subject& subject, const std::string& program) {
    std::vector<std::string> command = {PLAIT_COMMAND, "check",    "--explore", "exhaustive", "-j1",
                                        "-q",          "--format", "json",      "-o",         directory_ + "/out"};
    if (subject.executions > 0) command.insert(command.end(), {"--max-executions", std::to_string(subject.executions)});
    command.push_back(program);
    double best = 0;
    for (int i = 0; i < kRepeats; ++i) {
      const Measured ran = measure(command);
      const auto json = nlohmann::json::parse(ran.output, nullptr, false);
      const bool complete = ran.exit_code == 0, limited = ran.exit_code == 5 && subject.executions > 0;
      if (json.is_discarded() || !(complete || limited))
        fail("plait check " + std::string(subject.source) + ": " + ran.output);
      best = std::max(best, json.at("executions").get<double>() / ran.cpu_seconds);
    }
    return best;
  }

  /// CPU seconds of one execution in a new process; ours for starting it included.
  double with_exec(const std::string& program) {
    double best = 1e9;
    for (int i = 0; i < kRepeats; ++i) {
      double total = -own_cpu_seconds();
      for (int n = 0; n < kProcesses / kRepeats; ++n) {
        const Measured ran = measure({program}, {}, true);
        if (ran.exit_code != 0) fail("the program failed when run on its own");
        total += ran.cpu_seconds;
      }
      best = std::min(best, (total + own_cpu_seconds()) / (kProcesses / kRepeats));
    }
    return best;
  }

  double with_fork(const std::string& program) {
    double best = 1e9;
    const std::vector<std::string> variables = {"LD_PRELOAD=" FORK_SERVER, "PLAIT_FORKS=" + std::to_string(kProcesses)};
    for (int i = 0; i < kRepeats; ++i) {
      const Measured ran = measure({program}, variables, true);
      if (ran.exit_code != 0) fail("the program failed under the fork server");
      best = std::min(best, ran.cpu_seconds / kProcesses);
    }
    return best;
  }

  void compile_time() {
    const std::string source = PROGRAMS "/headers.cc", object = directory_ + "/headers.o";
    double ours = 1e9, plain = 1e9;
    for (int i = 0; i < 2 * kRepeats; ++i) {
      const Measured a = measure({PLAIT_COMMAND, "c++", "-c", source, "-o", object});
      const Measured b = measure({CLANGXX, "-g", "-O1", "-c", source, "-o", object});
      if (a.exit_code != 0 || b.exit_code != 0) fail("cannot compile headers.cc");
      ours = std::min(ours, a.cpu_seconds);
      plain = std::min(plain, b.cpu_seconds);
    }
    row("headers.cc: clang++ -g -O1, CPU seconds", "%12.2f", plain, 0);
    row("headers.cc: plait c++, CPU seconds", "%12.2f", ours, 0);
    row("headers.cc: plait c++ against clang++ -g -O1", "%12.2f", ours / plain, kCompileGoal, true);
  }

  std::string directory_;
};

}  // namespace
}  // namespace plait::bench

int main() {
  const std::string pattern = (std::filesystem::temp_directory_path() / "plait-bench-XXXXXX").string();
  std::string directory = pattern;
  if (!mkdtemp(directory.data())) {
    std::perror("plait_bench: cannot make a directory");
    return 1;
  }
  int code = 0;
  try {
    plait::bench::Benchmark(directory).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plait_bench: %s\n", error.what());
    code = 1;
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  return code;
}
