#include "engine/explorer_choice.h"

#include <fmt/core.h>

#include <cstdio>

#include "base/error.h"
#include "host/program.h"

namespace plait {

const ExplorerInfo& explorer_for(const CheckOptions& options, const Program& program) {
  const ExplorerInfo& wanted = options.explorer();
  if (!wanted.follows_reads) return wanted;
  if (!follows_inputs(program.path))
    throw Error(kExitUsage,
                fmt::format("--explore {} needs a program that is compiled with -fplait-inputs; '{}' is not",
                            options.explore, program.path));
  const bool takes_any = takes_inputs(program.path) || program.outside.any();
  if (options.inputs != "explore" || !takes_any) return wanted;
  if (!options.quiet)
    fmt::print(stderr, "plait: the program takes inputs: values are followed, in rounds (--inputs fixed: paths)\n");
  return explorer_named("cumulative");
}

}  // namespace plait
