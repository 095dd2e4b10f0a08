#include "explore/registry.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace plait {
namespace {

constexpr ExplorerInfo kExplorers[] = {
    {.name = "cumulative",
     .summary = "all behaviours with the fewest runs",
     .make = make_cumulative,
     .predicts = true,
     .resumes = true,
     .counts_classes = true,
     .settles_turns = true},
    {.name = "paths",
     .summary = "all paths of threads with the fewest runs, whatever values they read",
     .make = make_paths,
     .predicts = true,
     .follows_reads = true},
    {.name = "mpc",
     .summary = "maximal path causality, and what it leaves by paths",
     .make = make_mpc,
     .predicts = true,
     .has_strategies = true,
     .follows_reads = true},
    {.name = "mcr",
     .summary = "maximal causality reduction",
     .make = make_mcr,
     .predicts = true,
     .solves = true,
     .counts_classes = true,
     .plan = plan_mcr,
     .explore_part = explore_mcr_part},
    {.name = "exhaustive",
     .summary = "every interleaving",
     .make = make_exhaustive,
     .sharing = SharingFirst::FromRuns,
     .counts_interleavings = true,
     .self_checks = true,
     .has_sleep_sets = true,
     .plan = plan_exhaustive,
     .explore_part = explore_exhaustive_part},
    {.name = "dpor",
     .summary = "one of each set of equivalent interleavings",
     .make = make_dpor,
     .sharing = SharingFirst::FromOneRun,
     .counts_interleavings = true,
     .counts_classes = true,
     .has_preemption_bound = true,
     .plan = plan_dpor,
     .explore_part = explore_dpor_part},
    {.name = "icb",
     .summary = "every interleaving, few preemptions first",
     .make = make_icb,
     .sharing = SharingFirst::FromOneRun,
     .counts_interleavings = true,
     .has_preemption_bound = true,
     .plan = plan_icb,
     .explore_part = explore_icb_part},
    {.name = "random",
     .summary = "random schedules",
     .make = make_random,
     .sharing = SharingFirst::FromRuns,
     .samples = true,
     .self_checks = true,
     .plan = plan_random,
     .explore_part = explore_random_part,
     .settles_turns = true},
    {.name = "pct",
     .summary = "random priorities",
     .make = make_pct,
     .sharing = SharingFirst::FromOneRun,
     .samples = true,
     .plan = plan_pct,
     .explore_part = explore_pct_part,
     .settles_turns = true},
};

}  // namespace

std::span<const ExplorerInfo> explorers() { return kExplorers; }

const ExplorerInfo& explorer_named(std::string_view name) {
  const auto found = std::find_if(std::begin(kExplorers), std::end(kExplorers),
                                  [&](const ExplorerInfo& info) { return info.name == name; });
  if (found == std::end(kExplorers)) throw std::invalid_argument("no explorer is called " + std::string(name));
  return *found;
}

bool has_parts(const ExplorerInfo& explorer, const ExploreOptions& options) {
  const bool is_bounded_dpor = explorer.plan == plan_dpor && options.preemption_bound;
  return explorer.plan && !options.dependence && !is_bounded_dpor;
}

void learn_first(Exploration& exploration, const ExplorerInfo& explorer) {
  if (explorer.sharing == SharingFirst::FromOneRun) learn_sharing_at_once(exploration);
  if (explorer.sharing == SharingFirst::FromRuns) learn_sharing(exploration);
}

std::string names_of_explorers(bool ExplorerInfo::* can) {
  std::vector<std::string_view> names;
  for (const ExplorerInfo& info : kExplorers)
    if (info.*can) names.push_back(info.name);
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
  return text;
}

}  // namespace plait
