#include "cli/explore_options.h"

#include <fmt/core.h>

#include "cli/option_parts.h"

namespace plait {
namespace {

constexpr const char* kFooter = R"(The runtime's command follows a '--'; --runtime NAME takes the words before it, too.

Examples:
  plait explore -- ./my_runtime input        a program that speaks the protocol of docs/runtimes.md
  plait explore --runtime rw race.rw         one that comes with Plait
  plait explore --explore conflicts -j 4 -- python3 my_runtime.py)";

void add_what(CLI::App& group, CheckOptions& o, ExploreCommand& command) {
  std::string summaries;
  std::vector<std::string> names;
  for (const auto& [name, summary] : runtime_explorers()) {
    summaries += fmt::format("{}{}: {}", summaries.empty() ? "" : "; ", name, summary);
    names.push_back(name);
  }
  group.add_option("--explore", command.explore, summaries)
      ->check(CLI::IsMember(names))
      ->capture_default_str()
      ->type_name("HOW");
  group.add_option("--runtime", command.runtime, "a runtime that comes with Plait")->type_name("NAME");
  group
      .add_option("--relations", command.target.relations,
                  "which events interfere, and more, in place of what the runtime says; default: relations.toml beside "
                  "the runtime")
      ->type_name("FILE");
  group.add_option("--solver", o.solver, "conflicts, mcr: native (our own) or z3")
      ->check(CLI::IsMember({"native", "z3"}))
      ->capture_default_str()
      ->type_name("NAME");
  group.add_flag("--shortest-seeds", command.target.shortest_seeds,
                 "conflicts: seeds as short as in the paper, which may miss runs: the answer is then inconclusive");
  group.add_flag("--classes", o.classes, "mcr, cumulative: count the read-value classes of complete runs");
  group.add_flag("--outcomes", o.outcomes, "collect the distinct results of complete runs");
}

}  // namespace

void add_explore_options(CLI::App& app, CheckOptions& o, ExploreCommand& command) {
  app.add_option("ARGUMENT", o.targets, "of the runtime: with --runtime")->type_name("WORD");
  add_what(*app.add_option_group("What to explore"), o, command);
  add_kinds_checked(*app.add_option_group("What is a bug"), o);
  CLI::App& limits = *app.add_option_group("Limits");
  add_common_limits(limits, o);
  limits
      .add_option("--runtime-timeout", command.target.timeout,
                  "a runtime that says nothing for so long is started again")
      ->check(kPositive)
      ->capture_default_str()
      ->type_name("SECONDS");
  limits.add_option("--max-events", o.max_events, "end a run after this many events")
      ->check(CLI::Range(1u, 50'000'000u))
      ->capture_default_str()
      ->type_name("N");
  add_output(*app.add_option_group("Output"), o);
  app.footer(kFooter);
}

std::string contradiction_in(const CheckOptions& o, const ExploreCommand& command) {
  const bool predicts = o.explore == "mcr" || o.explore == "cumulative";
  if (o.explore != "conflicts" && o.explore != "mcr" && o.solver != "native")
    return "--solver belongs to --explore conflicts and mcr";
  if (predicts && o.outcomes) return "--outcomes needs all runs: not with --explore mcr and cumulative";
  if (!predicts && o.classes) return "--classes belongs to --explore mcr and cumulative";
  if (o.explore != "conflicts" && command.target.shortest_seeds)
    return "--shortest-seeds belongs to --explore conflicts";
  if (command.runtime.empty() && !o.targets.empty())
    return fmt::format("'{}': the runtime's command follows a '--'", o.targets[0]);
  return "";
}

}  // namespace plait
