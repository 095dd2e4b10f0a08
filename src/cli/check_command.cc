// plait check: explores a program and prints the result.
#include <fmt/core.h>

#include "cli/check_output.h"
#include "cli/gtest.h"
#include "cli/target.h"
#include "engine/check_engine.h"
#include "engine/monitor.h"
#include "report/files.h"

namespace plait {
int run_check(const CheckOptions& wanted) {
  const OutputDirectory directory(wanted.output_dir);
  CheckOptions options = wanted;
  options.output_dir = directory.name();
  if (options.output_dir != wanted.output_dir && !options.quiet)
    fmt::print(stderr, "plait: another check is using '{}': this one writes to '{}'\n", wanted.output_dir,
               options.output_dir);
  if (is_for_fleet(options)) {
    catch_interrupts();
    return run_fleet_check(options);
  }
  BugProgram target = prepare_target(options);
  catch_interrupts();
  if (options.gtest) return run_gtest_check(options, target);
  const CheckResult result = run_check_engine(options, target);
  const int code = delivered(result, [&] { print_out(formatted(result, options)); });
  annotate(result);
  archive_result(result, options.output_dir);
  return code;
}

}  // namespace plait
