// The compiler wrapper: turns a clang command line into one that instruments, and runs it.
//
// Owns: where Plait's parts lie, which flags are added when. Depends on nothing but the standard library.
//   toolchain.cc   where clang, the plugin, the runtime and plait.h are
//   arguments.cc   what the user's arguments ask for (inputs, languages, last phase)
//   command.cc     which flags are added
//   run.cc         exec and capture; compile_sources
//
// A drop-in compiler: whatever clang accepts passes through unchanged, in its order; Plait's flags come before the
// user's so that the user's win, except for those without which the program cannot be controlled (_FORTIFY_SOURCE).
// Without -O the level is -O1; -O0 is honoured (correct, but slower, and reports have no inlined-at chain).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace plait {

/// Plait's parts. An installation and the build tree have the same shape, so all but clang are found from the
/// executable.
struct Toolchain {
  std::string clang;        // C compiler: $PLAIT_CLANG, else clang-19 from PATH, else LLVM's own directory
  std::string clangxx;      // C++ compiler: $PLAIT_CLANGXX, likewise
  std::string plugin;       // lib/plait/plait-instrument.so
  std::string runtime;      // lib/plait/libplait_runtime.a
  std::string runtime_cxx;  // lib/plait/libplait_runtime_cxx.a: what only a C++ program can link
  std::string standard;     // lib/plait/libplait_standard.a: parts of libstdc++, instrumented
  std::string frames;       // lib/plait/plait-frames: adds what is dead at each call to a program
  std::string include;      // the directory of plait.h
};

/// `executable`: .../bin/plait, symbolic links followed.
Toolchain locate_toolchain(const std::filesystem::path& executable = "/proc/self/exe");

/// What stops the toolchain from working (a missing part, another clang version), one line; empty when nothing does.
std::string toolchain_problem(const Toolchain& toolchain, bool cplusplus);

/// The whole command line, argv[0] included, for the user's `args`. Throws std::runtime_error with a one-line message
/// for what cannot work (-fsanitize=thread, -m32, an unreadable @file).
std::vector<std::string> compiler_command(const Toolchain& toolchain, bool cplusplus,
                                          const std::vector<std::string>& args);

/// The program that this command line links, if it is one that plait-frames is for; else empty.
std::string linked_program(const Toolchain& toolchain, const std::vector<std::string>& args);

/// `plait cc` / `plait c++`: replaces this process by the compiler, but for links of programs. Returns an exit code.
int run_compiler(bool cplusplus, const std::vector<std::string>& args);

struct CompileResult {
  bool ok = false;
  std::string diagnostics;  // what the compiler wrote, warnings of a successful compilation included
};

/// `plait check a.cc b.c`: compiles the sources (C as gnu17, C++ as c++20 unless `cflags` has -std=) and links them
/// into `output`, whose directory must exist. `output` is replaced only by a complete file.
CompileResult compile_sources(const Toolchain& toolchain, const std::vector<std::string>& sources,
                              const std::vector<std::string>& cflags, const std::string& output);
CompileResult compile_sources(const std::vector<std::string>& sources, const std::vector<std::string>& cflags,
                              const std::string& output);

/// By its extension, as clang sees it.
bool is_c_source(const std::string& file);
bool is_cxx_source(const std::string& file);

}  // namespace plait
