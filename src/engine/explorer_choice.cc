#include "engine/explorer_choice.h"

#include <fmt/core.h>

#include <cstdio>

#include "base/error.h"
#include "host/program.h"

namespace plait {

namespace {

/// Do these options ask for what only rounds have, or what is about values?
bool needs_rounds(const CheckOptions& options, const Program& program) {
  return program.outside.any() || options.max_paths || options.tests || options.classes || options.merge != "on" ||
         !options.resume.empty() || !options.compare.empty() || options.audit || !options.cluster.empty();
}

}  // namespace

const ExplorerInfo& explorer_for(const CheckOptions& options, const Program& program) {
  const ExplorerInfo& wanted = options.explorer();
  const bool follows = follows_inputs(program.path);
  const bool takes_any = options.inputs == "explore" && (takes_inputs(program.path) || program.outside.any());
  if (!wanted.follows_reads) {
    const bool by_paths = !options.chose_explorer && follows && takes_any && !needs_rounds(options, program);
    return by_paths ? explorer_named("paths") : wanted;
  }
  if (!follows)
    throw Error(kExitUsage,
                fmt::format("--explore {} needs a program that is compiled with -fplait-inputs; '{}' is not",
                            options.explore, program.path));
  if (!takes_any || !needs_rounds(options, program)) return wanted;
  if (!options.quiet)
    fmt::print(stderr, "plait: with these options inputs are explored in rounds, by values, not by paths\n");
  return explorer_named("cumulative");
}

}  // namespace plait
