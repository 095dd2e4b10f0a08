#include "engine/cluster_exploration.h"

#include "base/error.h"
#include "cluster/check_pool.h"
#include "engine/monitor.h"
#include "engine/settings.h"
#include "host/native_runner.h"

namespace plait {
namespace {

constexpr u32 kMostMembers = 64;  // threads that wait for workers

cluster::CheckTerms terms_of(const ClusterExploration& all) {
  cluster::CheckTerms terms;
  terms.session = session_options(all.options);
  terms.worker = worker_options(all.options);
  terms.options = explore_options(all.options, all.program.path);
  terms.options.jobs = 1;
  terms.checked = all.options.checked();
  terms.outcomes = all.options.outcomes;
  terms.explorer = all.options.explore;
  terms.what = all.program.path;
  return terms;
}

/// Parts go to the workers; what is shared is learned here.
bool explore_parts(const ClusterExploration& all, cluster::ClusterCheck& check) {
  WorkerOptions exploring = worker_options(all.options);
  exploring.go_on = all.options.keep_going;
  NativeRunners runners(all.program, all.session, exploring);
  Exploration exploration{runners, explore_options(all.options, all.program.path), all.control, all.findings};
  all.prepare(exploration);
  learn_first(exploration, all.options.explorer());
  return !all.control.stopped() && check.explore_parts(exploration, all.findings, *all.session);
}

/// The explorer stays here, its runs go to the workers.
bool explore_runs(const ClusterExploration& all, cluster::ClusterCheck& check) {
  const std::unique_ptr<Runners> runners = check.runners(*all.session, all.options.keep_going);
  Exploration exploration{*runners, explore_options(all.options, all.program.path), all.control, all.findings};
  all.prepare(exploration);
  exploration.options.jobs = std::clamp(check.workers(), exploration.options.jobs, kMostMembers);
  learn_first(exploration, all.options.explorer());
  return !all.control.stopped() && explore(*all.options.explorer().make(), exploration);
}

bool explore_as_it_can_be(const ClusterExploration& all, cluster::ClusterCheck& check) {
  const CheckOptions& options = all.options;
  const ExploreOptions exploring = explore_options(options, all.program.path);
  const bool has_parts = plait::has_parts(options.explorer(), exploring);
  const bool is_sequential = !has_parts && options.explorer().plan && !exploring.dependence;  // dpor within a bound
  if (options.cluster_whole || is_sequential)
    return check.explore_whole(all.control, all.findings, *all.session, all.taught);
  return has_parts ? explore_parts(all, check) : explore_runs(all, check);
}

}  // namespace

bool explore_on_cluster(const ClusterExploration& all) {
  const CheckOptions& options = all.options;
  cluster::ClusterCheck check({options.cluster, options.key, options.cluster_patience, options.quiet}, terms_of(all),
                              all.program);
  Monitor monitor(all.control, options.quiet, [&] { return check.progress(); });
  const auto note_account = [&] {
    const cluster::TaskAccount account = check.account();
    all.account = {account.submitted, account.finished, account.twice, account.again, account.given_up};
  };
  bool complete = false;
  try {
    complete = explore_as_it_can_be(all, check);
  } catch (const Error& error) {
    note_account();
    if (check.is_refused()) throw NotBegun(error.exit_code(), error.what());
    throw;
  }
  note_account();
  return complete && !all.control.stopped();
}

}  // namespace plait
