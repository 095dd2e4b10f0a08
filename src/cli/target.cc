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

namespace plait {
namespace {

namespace fs = std::filesystem;

bool is_source(const std::string& file) { return is_c_source(file) || is_cxx_source(file); }

std::string input_for(const CheckOptions& options) {
  if (options.input.empty()) return redirected_input();
  if (options.input != "-") return fs::absolute(options.input).string();
  // Every run reads it from the beginning, so it must be a file.
  std::string path = fs::absolute(fs::path(options.output_dir) / "stdin").string();
  write_file(path, read_all(0));
  return path;
}

}  // namespace

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
    target.program.path = (fs::path(options.output_dir) / "build" / fs::path(options.targets[0]).stem()).string();
    rebuild(target);
  } else {
    target.program.path = options.targets[0];
  }
  require_instrumented(target.program.path);
  target.program.file = std::make_shared<ProgramFile>(target.program.path);
  target.identity = program_identity(target.program.path);
  target.program.input_path = input_for(options);
  return target;
}

}  // namespace plait
