// plait explore: explores what a runtime of others can do (docs/runtimes.md), and prints the result.
#include <fmt/core.h>

#include <filesystem>

#include "base/error.h"
#include "cli/check_output.h"
#include "cli/explore_options.h"
#include "compile/compile.h"
#include "engine/monitor.h"
#include "report/files.h"

namespace plait {
namespace {

std::string runtimes_directory() {
  return (std::filesystem::path(locate_toolchain().runtime).parent_path() / "runtimes").string();
}

/// The command of one that comes with Plait: a program, or a script.
std::vector<std::string> command_of(const std::string& name) {
  const std::filesystem::path directory = runtimes_directory();
  std::error_code error;
  const bool plain = name.find('/') == std::string::npos && !name.starts_with(".");
  if (plain && std::filesystem::is_regular_file(directory / name, error)) return {(directory / name).string()};
  std::string names;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (entry.is_regular_file(error)) names += (names.empty() ? "" : ", ") + entry.path().filename().string();
  throw Error(kExitUsage, fmt::format("there is no runtime '{}' in '{}' ({})", name, directory.string(),
                                      names.empty() ? "there is none" : names));
}

}  // namespace

bool is_own_runtime(const std::vector<std::string>& command) {
  return command[0] == (std::filesystem::path(runtimes_directory()) / "rw").string();
}

int run_explore(const CheckOptions& wanted, const ExploreCommand& command) {
  RuntimeTarget target = command.target;
  if (!command.runtime.empty()) target.command = command_of(command.runtime);
  target.command.insert(target.command.end(), wanted.targets.begin(), wanted.targets.end());
  target.command.insert(target.command.end(), wanted.arguments.begin(), wanted.arguments.end());
  if (target.command.empty())
    throw Error(kExitUsage, "a runtime is needed: plait explore -- COMMAND ARGUMENTS... (see plait explore --help)");
  target.own = is_own_runtime(target.command);
  const OutputDirectory directory(wanted.output_dir);
  CheckOptions options = wanted;
  options.output_dir = directory.name();
  if (options.output_dir != wanted.output_dir && !options.quiet)
    fmt::print(stderr, "plait: another check is using '{}': this one writes to '{}'\n", wanted.output_dir,
               options.output_dir);
  catch_interrupts();
  const CheckResult result = run_explore_engine(options, target);
  const int code = delivered(result, [&] { print_out(formatted(result, options)); });
  annotate(result);
  archive_result(result, options.output_dir);
  return code;
}

}  // namespace plait
