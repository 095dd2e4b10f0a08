#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "compile/compile.h"
#include "compile/process.h"

namespace plait {

namespace {

using Words = std::vector<std::string>;

constexpr int kUsageError = 2;

int complain(bool cplusplus, const std::string& message) {
  fprintf(stderr, "plait %s: %s\n", cplusplus ? "c++" : "cc", message.c_str());
  return kUsageError;
}

bool has_standard(const Words& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) {
    return flag.starts_with("-std=") || flag.starts_with("--std=") || flag == "-ansi";
  });
}

/// Files that exist only while compile_sources runs.
class Temporaries {
 public:
  ~Temporaries() {
    for (const std::string& file : files_) unlink(file.c_str());
  }
  const std::string& add(std::string file) { return files_.emplace_back(std::move(file)); }
  const Words& files() const { return files_; }

 private:
  Words files_;
};

}  // namespace

int run_compiler(bool cplusplus, const Words& args) {
  const Toolchain toolchain = locate_toolchain();
  if (std::string problem = toolchain_problem(toolchain, cplusplus); !problem.empty())
    return complain(cplusplus, problem);
  Words command;
  try {
    command = compiler_command(toolchain, cplusplus, args);
  } catch (const std::runtime_error& error) {
    return complain(cplusplus, error.what());
  }
  if (const std::string program = linked_program(toolchain, args); !program.empty()) {
    const int status = run(command);
    return status != 0 ? status : run({toolchain.frames, program});
  }
  const std::vector<char*> argv = exec_arguments(command);
  execvp(argv[0], argv.data());
  return complain(cplusplus, "cannot run " + command[0] + ": " + strerror(errno));
}

CompileResult compile_sources(const Toolchain& toolchain, const Words& sources, const Words& cflags,
                              const std::string& output) {
  CompileResult result;
  const bool any_cxx = std::ranges::any_of(sources, is_cxx_source);
  if (std::string problem = toolchain_problem(toolchain, any_cxx); !problem.empty()) {
    result.diagnostics = problem + "\n";
    return result;
  }
  const bool own_standard = has_standard(cflags);
  const std::string suffix = "." + std::to_string(getpid());
  Temporaries objects;
  // The flags go to every compilation and to the link, so some of them find nothing to do.
  const std::string quiet = "-Wno-unused-command-line-argument";
  auto run = [&](bool cplusplus, const Words& args) {
    try {
      const Captured done = capture(compiler_command(toolchain, cplusplus, args));
      result.diagnostics += done.output;
      return done.status == 0;
    } catch (const std::runtime_error& error) {
      result.diagnostics += std::string(error.what()) + "\n";
      return false;
    }
  };

  auto words_for = [&](size_t i) {
    Words args = {quiet};
    if (!own_standard) args.push_back(is_cxx_source(sources[i]) ? "-std=c++20" : "-std=gnu17");
    args.insert(args.end(), cflags.begin(), cflags.end());
    args.insert(args.end(), {"-c", "-o", objects.files()[i], sources[i]});
    return args;
  };
  bool compiled = true;  // all of them: every source's errors are wanted
  for (size_t i = 0; i < sources.size(); ++i) {
    objects.add(output + suffix + "." + std::to_string(i) + ".o");
    compiled &= run(is_cxx_source(sources[i]), words_for(i));
  }
  if (!compiled) return result;
  // One that takes inputs follows them; through the others they are followed as well.
  const auto takes_inputs = [](const std::string& object) {
    std::ifstream file(object, std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(file), {});
    return content.find("plait_takes_inputs") != std::string::npos;
  };
  if (sources.size() > 1 && std::ranges::any_of(objects.files(), takes_inputs))
    for (size_t i = 0; i < sources.size(); ++i) {
      if (takes_inputs(objects.files()[i])) continue;
      Words args = words_for(i);
      args.insert(args.begin(), "-fplait-inputs");
      if (!run(is_cxx_source(sources[i]), args)) return result;
    }

  Temporaries linked;
  const std::string unfinished = linked.add(output + suffix);
  Words args = {quiet, "-o", unfinished};
  args.insert(args.end(), objects.files().begin(), objects.files().end());
  args.insert(args.end(), cflags.begin(), cflags.end());  // after the objects: libraries
  if (!run(any_cxx, args)) return result;
  if (const Captured done = capture({toolchain.frames, unfinished}); done.status != 0) {
    result.diagnostics += done.output;
    return result;
  }
  if (rename(unfinished.c_str(), output.c_str()) != 0) {
    result.diagnostics += "cannot write " + output + ": " + strerror(errno) + "\n";
    return result;
  }
  result.ok = true;
  return result;
}

CompileResult compile_sources(const Words& sources, const Words& cflags, const std::string& output) {
  return compile_sources(locate_toolchain(), sources, cflags, output);
}

}  // namespace plait
