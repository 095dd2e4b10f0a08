#include "cli/target.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "compile/compile.h"
#include "compile/harmless.h"
#include "host/program.h"
#include "report/files.h"
#include "trace/outside.h"

namespace plait {
namespace {

namespace fs = std::filesystem;

std::string input_for(const CheckOptions& options) {
  if (options.symbolic_input) return "";
  if (options.input.empty()) return redirected_input();
  if (options.input != "-") return fs::absolute(options.input).string();
  // Every run reads it from the beginning, so it must be a file.
  std::string path = fs::absolute(fs::path(options.output_dir) / "stdin").string();
  write_file(path, read_all(0));
  return path;
}

unsigned length_of(const std::string& text, const std::string& option) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long size = digits && text.size() < 6 ? std::stoul(text) : digits ? kMostFreeBytes + 1 : 0;
  if (size == 0) throw Error(kExitUsage, fmt::format("{}: '{}' is no number of bytes", option, text));
  if (size > kMostFreeBytes)
    throw Error(kExitUsage, fmt::format("{}: at most {} bytes can be inputs", option, kMostFreeBytes));
  return static_cast<unsigned>(size);
}

OutsideInputs outside_inputs(const CheckOptions& options) {
  OutsideInputs outside;
  unsigned long bytes = 0;
  const auto length = [&](const std::string& text, const std::string& option) {
    const unsigned size = length_of(text, option);
    if ((bytes += size) > kMostFreeBytes)
      throw Error(kExitUsage, fmt::format("{}: at most {} bytes can be inputs, all together", option, kMostFreeBytes));
    return size;
  };
  for (const std::string& word : split_words(options.symbolic_arguments))
    outside.arguments.push_back(length(word, "--symbolic-args"));
  if (options.symbolic_input)
    outside.standard_input = length(std::to_string(*options.symbolic_input), "--symbolic-stdin");
  for (const std::string& text : options.symbolic_environment) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || text.find(';') != std::string::npos)
      throw Error(kExitUsage, fmt::format("--symbolic-env '{}': give NAME=LEN", text));
    outside.environment.emplace_back(text.substr(0, equals), length(text.substr(equals + 1), "--symbolic-env"));
  }
  if (outside.arguments.size() + outside.environment.size() > kMostFreeTexts)
    throw Error(kExitUsage, fmt::format("at most {} arguments and variables can be inputs", kMostFreeTexts));
  if (outside.standard_input && !options.input.empty())
    throw Error(kExitUsage, "--symbolic-stdin and --stdin: standard input is one or the other");
  if (outside.any() && !options.cluster.empty())
    throw Error(kExitUsage, "--symbolic-args and the like: not with --cluster");
  if (outside.any() && options.gtest)
    throw Error(kExitUsage, "--gtest gives the program its arguments: not with --symbolic-args and the like");
  return outside;
}

}  // namespace

bool is_source(const std::string& file) { return is_c_source(file) || is_cxx_source(file); }

void rebuild(const BugProgram& target) {
  for (const std::string& source : target.sources)
    if (access(source.c_str(), R_OK) != 0)
      throw Error(kExitUsage, fmt::format("cannot read the source file '{}'", source));
  if (const std::string flag = first_output_flag(target.cflags); !flag.empty())
    throw Error(kExitUsage, fmt::format("--cflags with '{}': where the program goes is not a matter of flags", flag));
  prepare_directory(fs::path(target.program.path).parent_path().string());
  CompileResult result = compile_sources(target.sources, target.cflags, target.program.path);
  if (!result.diagnostics.empty()) std::fputs(result.diagnostics.c_str(), stderr);
  if (!result.ok)
    throw Error(kExitUsage,
                fmt::format("'{}' does not compile", target.sources.size() == 1 ? target.sources[0] : "the program"));
}

BugProgram prepare_target(const CheckOptions& options) {
  BugProgram target;
  target.directory = fs::current_path().string();
  target.program.arguments = options.arguments;
  target.program.outside = outside_inputs(options);
  if (const char* closure = std::getenv(kClosureVariable)) target.closure = closure;
  size_t sources = 0;
  for (const std::string& name : options.targets) {
    if (access(name.c_str(), F_OK) != 0) throw Error(kExitUsage, fmt::format("no such file: '{}'", name));
    sources += is_source(name);
  }
  if (sources != 0 && sources != options.targets.size())
    throw Error(kExitUsage, "give either one program or source files, not both");
  if (sources == 0 && options.targets.size() > 1)
    throw Error(kExitUsage, fmt::format("one program at a time; arguments for '{}' follow a '--'", options.targets[0]));
  if (sources == 0 && !options.cflags.empty() && !options.cflags_from_file)
    throw Error(kExitUsage, "--cflags is for source files only");
  if (sources) {
    target.sources = options.targets;
    target.cflags = split_words(options.cflags);
    if (target.program.outside.any() || options.explorer().follows_reads) target.cflags.emplace_back("-fplait-inputs");
    target.program.path = (fs::path(options.output_dir) / "build" / fs::path(options.targets[0]).stem()).string();
    rebuild(target);
  } else {
    target.program.path = options.targets[0];
  }
  require_instrumented(target.program.path);
  if (target.program.outside.any() && !follows_inputs(target.program.path))
    throw Error(kExitUsage, fmt::format("--symbolic-args and the like: '{}' was not compiled so that inputs can be "
                                        "followed: compile it with -fplait-inputs",
                                        target.program.path));
  target.program.file = std::make_shared<ProgramFile>(target.program.path);
  target.identity = program_identity(target.program.path);
  target.program.input_path = input_for(options);
  return target;
}

}  // namespace plait
