#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <regex>

#include "compile/compile.h"
#include "compile/process.h"

namespace plait {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVersion = PLAIT_LLVM_VERSION;  // the major version that the plugin is built for

/// From the environment; else NAME-VERSION in PATH; else in the directory of the LLVM that Plait was built with.
std::string find_compiler(const char* variable, const std::string& name) {
  if (const char* chosen = std::getenv(variable); chosen && *chosen) return chosen;
  const std::string versioned = name + "-" + kVersion;
  const char* path = std::getenv("PATH");
  std::string directories = path ? path : "";
  for (size_t begin = 0; begin <= directories.size();) {
    const size_t end = std::min(directories.find(':', begin), directories.size());
    const fs::path candidate = fs::path(directories.substr(begin, end - begin)) / versioned;
    if (end > begin && access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  return fs::path(PLAIT_LLVM_BINDIR) / name;
}

std::string missing(const std::string& part, const char* what) {
  if (access(part.c_str(), R_OK) == 0) return "";
  return std::string(what) + " is missing: " + part + " (install or build Plait again)";
}

}  // namespace

Toolchain locate_toolchain(const fs::path& executable) {
  std::error_code error;
  fs::path real = fs::canonical(executable, error);
  const fs::path prefix = error ? fs::path(".") : real.parent_path().parent_path();
  return {find_compiler("PLAIT_CLANG", "clang"),       find_compiler("PLAIT_CLANGXX", "clang++"),
          prefix / "lib/plait/plait-instrument.so",    prefix / "lib/plait/libplait_runtime.a",
          prefix / "lib/plait/libplait_runtime_cxx.a", prefix / "lib/plait/libplait_standard.a",
          prefix / "lib/plait/plait-frames",           prefix / "include"};
}

std::string toolchain_problem(const Toolchain& toolchain, bool cplusplus) {
  const std::string& compiler = cplusplus ? toolchain.clangxx : toolchain.clang;
  if (std::string problem = missing(toolchain.plugin, "the instrumentation plugin"); !problem.empty()) return problem;
  if (std::string problem = missing(toolchain.runtime, "the runtime library"); !problem.empty()) return problem;
  if (std::string problem = missing(toolchain.runtime_cxx, "the C++ runtime library"); !problem.empty()) return problem;
  if (std::string problem = missing(toolchain.frames, "the tool for frames"); !problem.empty()) return problem;
  const std::string wanted = std::string("clang ") + kVersion;
  if (compiler.find('/') != std::string::npos && access(compiler.c_str(), X_OK) != 0)
    return wanted + " is not installed: cannot run " + compiler + " (Debian: apt-get install clang-" + kVersion + ")";
  // A name with the version in it is believed: asking costs a process for each compilation.
  if (compiler.ends_with(std::string("-") + kVersion)) return "";
  const Captured answer = capture({compiler, "--version"});
  if (answer.status != 0) return wanted + " is needed, and " + compiler + " cannot be run";
  std::smatch version;
  if (!std::regex_search(answer.output, version, std::regex("clang version ([0-9]+)")))
    return wanted + " is needed, and " + compiler + " is no clang";
  if (version[1] != kVersion)
    return wanted + " is needed, and " + compiler + " is clang " + version[1].str() +
           ": the plugin cannot be loaded there";
  return "";
}

}  // namespace plait
