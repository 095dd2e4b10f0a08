// The solvers on the queries that `--explore mcr` asks of real programs: ours, Z3 with the constraints of a trace
// stated once, Z3 from nothing for each query. All three answer the same queries in one run of this benchmark, and must
// agree.
//
//   solver_bench [--queries N] PROGRAM...      programs compiled by `plait cc`; N: at most so many queries of each
//   (300)
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "check/findings.h"
#include "explore/explorer.h"
#include "host/native_runner.h"
#include "host/worker.h"
#include "solve/solver.h"

namespace plait {
namespace {

using solve::Answer;

struct Recorded {
  std::shared_ptr<const solve::CausalModel> model;
  solve::Query query;
};

/// The queries of an exploration; every n-th is kept when there are too many, so that late ones are among them.
std::vector<Recorded> record(const std::string& path, size_t most) {
  Program program{path, {}, ""};
  Control control({20.0, std::nullopt});
  Findings findings(control, {true, false});
  std::vector<Recorded> all;
  std::map<u64, std::shared_ptr<const solve::CausalModel>> models;
  ExploreOptions options;
  options.query_observer = [&](const solve::CausalModel& model, const solve::Query& query) {
    auto& kept = models[model.id()];
    if (!kept) kept = std::make_shared<solve::CausalModel>(model);
    all.push_back({kept, query});
  };
  NativeRunners runners(program, std::make_shared<SessionMemory>(SessionOptions{}), {});
  Exploration exploration{runners, options, control, findings};
  explore(*make_mcr(), exploration);
  std::vector<Recorded> chosen;
  const size_t step = std::max<size_t>(1, all.size() / most);
  for (size_t i = 0; i < all.size() && chosen.size() < most; i += step) chosen.push_back(all[i]);
  return chosen;
}

struct Timing {
  double total = 0, slowest = 0;
};

Timing ask(solve::Solver& solver, const std::vector<Recorded>& queries, std::vector<Answer::Verdict>& verdicts) {
  Timing timing;
  verdicts.clear();
  for (const Recorded& recorded : queries) {
    const auto begin = std::chrono::steady_clock::now();
    verdicts.push_back(solver.solve(*recorded.model, recorded.query).verdict);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    timing.total += took;
    timing.slowest = std::max(timing.slowest, took);
  }
  return timing;
}

int run(size_t most, const std::vector<std::string>& programs) {
  std::printf("%-28s %8s %6s %12s %12s %14s %12s %8s %8s\n", "program", "queries", "sat", "own ms", "slowest ms",
              "incremental ms", "fresh ms", "inc/own", "fresh/own");
  Timing own_all, incremental_all, fresh_all;
  size_t asked = 0, different = 0;
  for (const std::string& path : programs) {
    const std::vector<Recorded> queries = record(path, most);
    std::vector<Answer::Verdict> a, b, c;
    const Timing own = ask(*solve::make_order_solver(), queries, a);
    const Timing incremental = ask(*solve::make_z3_solver(), queries, b);
    const Timing fresh = ask(*solve::make_z3_solver({}, false), queries, c);
    size_t sat = 0;
    for (size_t i = 0; i < queries.size(); ++i) {
      sat += a[i] == Answer::Verdict::Sat;
      different += a[i] != b[i] || a[i] != c[i];
    }
    asked += queries.size();
    own_all.total += own.total;
    own_all.slowest = std::max(own_all.slowest, own.slowest);
    incremental_all.total += incremental.total;
    fresh_all.total += fresh.total;
    std::printf("%-28s %8zu %6zu %12.2f %12.3f %14.1f %12.1f %8.0f %8.0f\n", path.substr(path.rfind('/') + 1).c_str(),
                queries.size(), sat, own.total * 1e3, own.slowest * 1e3, incremental.total * 1e3, fresh.total * 1e3,
                incremental.total / std::max(1e-9, own.total), fresh.total / std::max(1e-9, own.total));
    std::fflush(stdout);
  }
  std::printf("%-28s %8zu %6s %12.2f %12.3f %14.1f %12.1f %8.0f %8.0f\n", "all", asked, "", own_all.total * 1e3,
              own_all.slowest * 1e3, incremental_all.total * 1e3, fresh_all.total * 1e3,
              incremental_all.total / std::max(1e-9, own_all.total), fresh_all.total / std::max(1e-9, own_all.total));
  std::printf("%zu different answers\n", different);
  return different != 0;
}

}  // namespace
}  // namespace plait

int main(int argc, char** argv) {
  size_t most = 300;
  std::vector<std::string> programs;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--queries" && i + 1 < argc)
      most = std::strtoull(argv[++i], nullptr, 10);
    else
      programs.emplace_back(argv[i]);
  }
  if (programs.empty() || most == 0) {
    std::fprintf(stderr, "usage: solver_bench [--queries N] PROGRAM...\n");
    return 2;
  }
  return plait::run(most, programs);
}
