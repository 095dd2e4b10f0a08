// What the wrapper understands of a command line, and what it adds.
#include "compile/arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "compile/compile.h"

namespace plait {
namespace {

using Words = std::vector<std::string>;

const Toolchain kToolchain{"clang",
                           "clang++",
                           "/p/plait-instrument.so",
                           "/p/libplait_runtime.a",
                           "/p/libplait_runtime_cxx.a",
                           "/p/libplait_standard.a",
                           "/p/plait-frames",
                           "/p/include"};

Arguments parse(const Words& args) { return parse_arguments(args, kToolchain.runtime); }
Words command(bool cplusplus, const Words& args) { return compiler_command(kToolchain, cplusplus, args); }
bool has(const Words& words, const std::string& word) { return std::ranges::find(words, word) != words.end(); }
size_t place(const Words& words, const std::string& word) {
  return static_cast<size_t>(std::ranges::find(words, word) - words.begin());
}

TEST(Arguments, LastPhase) {
  EXPECT_EQ(parse({"a.c"}).last, Phase::Link);
  EXPECT_EQ(parse({"-c", "a.c"}).last, Phase::Compile);
  EXPECT_EQ(parse({"-S", "a.c"}).last, Phase::Compile);
  EXPECT_EQ(parse({"a.c", "-E"}).last, Phase::Preprocess);
  EXPECT_EQ(parse({"-MM", "a.c"}).last, Phase::Preprocess);
  EXPECT_EQ(parse({"-MMD", "-MF", "a.d", "-c", "a.c"}).last, Phase::Compile);
  EXPECT_EQ(parse({"-fsyntax-only", "a.c"}).last, Phase::SyntaxOnly);
  EXPECT_EQ(parse({"-c", "-E", "a.c"}).last, Phase::Preprocess);
  EXPECT_EQ(parse({"-x", "c++-header", "a.h"}).last, Phase::Compile);
  EXPECT_EQ(parse({"--version"}).last, Phase::Nothing);
  EXPECT_EQ(parse({"-v"}).last, Phase::Nothing);
  EXPECT_EQ(parse({"-print-search-dirs"}).last, Phase::Nothing);
  EXPECT_EQ(parse({}).last, Phase::Nothing);
}

TEST(Arguments, Inputs) {
  EXPECT_TRUE(parse({"a.cc"}).has_source);
  EXPECT_FALSE(parse({"a.o", "libx.a", "-lfoo"}).has_source);
  EXPECT_TRUE(parse({"a.o"}).has_input);
  EXPECT_FALSE(parse({"a.s", "b.S"}).has_source);
  EXPECT_TRUE(parse({"-x", "c", "-"}).has_source);
  EXPECT_TRUE(parse({"-xc++", "a.txt"}).has_source);
  EXPECT_FALSE(parse({"-x", "assembler", "a.txt"}).has_source);
  EXPECT_TRUE(parse({"-x", "assembler", "a.txt", "-x", "none", "b.c"}).has_source);
  EXPECT_FALSE(parse({"-o", "a.c", "b.o"}).has_source) << "a value of an option is no input";
  EXPECT_FALSE(parse({"-I", "dir.c", "-include", "x.c", "-MF", "y.c"}).has_input);
  EXPECT_TRUE(parse({"--", "-odd-name.c"}).has_source);
}

TEST(Arguments, ResponseFiles) {
  const std::string inner = testing::TempDir() + "plait_inner.rsp", outer = testing::TempDir() + "plait_outer.rsp";
  std::ofstream(inner) << "-c 'a file.c'\n";
  std::ofstream(outer) << "-O2 @" << inner << " -DX=\\\"s\\\"";
  const Arguments arguments = parse({"@" + outer});
  EXPECT_EQ(arguments.all, (Words{"-O2", "-c", "a file.c", "-DX=\"s\""}));
  EXPECT_EQ(arguments.last, Phase::Compile);
  EXPECT_TRUE(arguments.optimisation);
  // The words themselves stay: clang expands them again.
  EXPECT_TRUE(has(command(false, {"@" + outer}), "@" + outer));
  std::ofstream(inner) << "@" << inner;
  EXPECT_THROW(parse({"@" + inner}), std::runtime_error);
  EXPECT_EQ(parse({"@/no/such/file"}).all, (Words{"@/no/such/file"}));
}

TEST(Arguments, SplitResponse) {
  EXPECT_EQ(split_response("a  'b c' \"d e\"f\n\tg\\ h ''"), (Words{"a", "b c", "d ef", "g h", ""}));
  EXPECT_EQ(split_response(""), Words{});
  EXPECT_EQ(split_response("'a\\b'"), (Words{"a\\b"}));
}

TEST(Command, CompileAndLink) {
  const Words words = command(true, {"a.cc", "-o", "a"});
  EXPECT_EQ(words[0], "clang++");
  for (const char* flag :
       {"-g", "-O1", "-mcx16", "-fno-common", "-ftrivial-auto-var-init=pattern", "-D_GLIBCXX_ASSERTIONS",
        "-D__PLAIT__=1", "-U_FORTIFY_SOURCE", "-fplugin=/p/plait-instrument.so", "-fpass-plugin=/p/plait-instrument.so",
        "-ldl", "-lpthread"})
    EXPECT_TRUE(has(words, flag)) << flag;
  EXPECT_EQ(place(words, "/p/libplait_runtime.a"), place(words, "--whole-archive") + 2) << "-Xlinker between";
  EXPECT_EQ(place(words, "/p/libplait_runtime_cxx.a"), place(words, "/p/libplait_runtime.a") + 2);
  EXPECT_GT(place(words, "--no-whole-archive"), place(words, "/p/libplait_runtime_cxx.a"));
  EXPECT_FALSE(has(command(false, {"a.c"}), "/p/libplait_runtime_cxx.a"));
}

TEST(Command, UsersFlagsWin) {
  EXPECT_FALSE(has(command(true, {"-O2", "a.cc"}), "-O1"));
  EXPECT_FALSE(has(command(true, {"-O0", "a.cc"}), "-O1"));
  const Words words = command(true, {"-g0", "-D_FORTIFY_SOURCE=2", "a.cc"});
  EXPECT_LT(place(words, "-g"), place(words, "-g0"));
  EXPECT_LT(place(words, "-D_FORTIFY_SOURCE=2"), place(words, "-U_FORTIFY_SOURCE")) << "this one must not win";
}

TEST(Command, NoLinking) {
  for (const char* phase : {"-c", "-S"}) {
    const Words words = command(true, {phase, "a.cc"});
    EXPECT_TRUE(has(words, "-fpass-plugin=/p/plait-instrument.so"));
    EXPECT_FALSE(has(words, "/p/libplait_runtime.a"));
    EXPECT_FALSE(has(words, "-lpthread"));
  }
}

TEST(Command, PreprocessingOnlyGetsMacros) {
  for (const char* phase : {"-E", "-M", "-MM", "-fsyntax-only"}) {
    const Words words = command(true, {phase, "a.cc"});
    EXPECT_TRUE(has(words, "-D__PLAIT__=1"));
    EXPECT_FALSE(has(words, "-fpass-plugin=/p/plait-instrument.so"));
    EXPECT_FALSE(has(words, "-g"));
    EXPECT_FALSE(has(words, "/p/libplait_runtime.a"));
  }
}

TEST(Command, LinkingObjectsOnly) {
  const Words words = command(true, {"a.o", "b.o", "-o", "x"});
  EXPECT_FALSE(has(words, "-fpass-plugin=/p/plait-instrument.so"));
  EXPECT_FALSE(has(words, "-mcx16")) << "would be an unused argument";
  EXPECT_TRUE(has(words, "/p/libplait_runtime.a"));
}

TEST(Command, SharedLibrariesGetNoRuntime) {
  EXPECT_FALSE(has(command(true, {"-shared", "-fPIC", "a.cc"}), "/p/libplait_runtime.a"));
  EXPECT_FALSE(has(command(true, {"-r", "a.o"}), "/p/libplait_runtime.a"));
  EXPECT_TRUE(has(command(true, {"-shared", "-Wl,--no-undefined", "a.o"}), "-Wl,-z,undefs"));
  EXPECT_TRUE(has(command(true, {"-shared", "-Wl,-z,defs", "a.o"}), "-Wl,-z,undefs"));
}

TEST(Command, Untouched) {
  for (const Words& args :
       {Words{"--version"}, Words{"-v"}, Words{"-print-prog-name=ld"}, Words{"-dumpmachine"}, Words{}}) {
    Words expected = {"clang"};
    expected.insert(expected.end(), args.begin(), args.end());
    EXPECT_EQ(command(false, args), expected);
  }
  EXPECT_EQ(command(false, {"-c", "a.s"}), (Words{"clang", "-c", "a.s"}));
}

TEST(Command, RuntimeOnce) {
  const Words words = command(true, {"a.o", "/p/libplait_runtime.a"});
  EXPECT_EQ(std::ranges::count(words, "/p/libplait_runtime.a"), 1);
}

TEST(Command, InputsAfterTwoDashes) {
  const Words words = command(false, {"-o", "x", "--", "a.c"});
  EXPECT_EQ(words.back(), "a.c");
  EXPECT_LT(place(words, "/p/libplait_runtime.a"), place(words, "--"));
}

TEST(Command, WhatCannotWork) {
  EXPECT_THROW(command(true, {"-fsanitize=thread", "a.cc"}), std::runtime_error);
  EXPECT_THROW(command(true, {"-fsanitize=undefined,address", "a.cc"}), std::runtime_error);
  EXPECT_NO_THROW(command(true, {"-fsanitize=undefined", "a.cc"}));
  EXPECT_THROW(command(true, {"-m32", "a.cc"}), std::runtime_error);
}

TEST(Toolchain, RelativeToTheExecutable) {
  const Toolchain toolchain = locate_toolchain("/proc/self/exe");
  EXPECT_TRUE(toolchain.plugin.ends_with("/lib/plait/plait-instrument.so")) << toolchain.plugin;
  EXPECT_TRUE(toolchain.include.ends_with("/include"));
  EXPECT_TRUE(toolchain.clang.find("clang") != std::string::npos);
}

TEST(Toolchain, Problems) {
  Toolchain toolchain = kToolchain;
  EXPECT_NE(toolchain_problem(toolchain, false).find("plugin is missing"), std::string::npos);
  toolchain.plugin = toolchain.runtime = toolchain.runtime_cxx = toolchain.frames = "/proc/self/exe";
  toolchain.clang = "/no/such/clang-19";
  EXPECT_NE(toolchain_problem(toolchain, false).find("not installed"), std::string::npos);
  const std::string old = testing::TempDir() + "plait_old_clang";
  std::ofstream(old) << "#!/bin/sh\necho 'Debian clang version 14.0.6'\n";
  std::filesystem::permissions(old, std::filesystem::perms::owner_all);
  toolchain.clang = old;
  EXPECT_NE(toolchain_problem(toolchain, false).find("is clang 14"), std::string::npos)
      << toolchain_problem(toolchain, false);
}

}  // namespace
}  // namespace plait
