// Usage: help, versions, options that are wrong or not there yet.
#include "command.h"

namespace plait {
namespace {

using Command = CommandTest;

TEST_F(Command, Version) {
  Ran ran = shell("plait --version");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out.find("plait "), 0u) << ran.out;
}

TEST_F(Command, HelpNamesEverything) {
  Ran ran = shell("plait --help");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* word : {"check", "replay", "show", "c++", "cc", "Examples", "Exit codes"})
    EXPECT_NE(ran.out.find(word), std::string::npos) << word;
  ran = shell("plait check --help");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* option :
       {"--memory-model", "--explore", "--solver", "--jobs",       "--timeout",    "--max-executions", "--max-events",
        "--keep-going",   "--races",   "--cflags", "--outcomes",   "--output-dir", "--format",         "--color",
        "--quiet",        "--verbose", "--seed",   "--sleep-sets", "--self-check", "--stdin"})
    EXPECT_NE(ran.out.find(option), std::string::npos) << option;
}

TEST_F(Command, WrongUsage) {
  expect_error("plait", 2, "plait --help");
  expect_error("plait nonsense", 2, "there is no command 'nonsense' (see plait --help)");
  expect_error("plait check", 2, "required");
  expect_error("plait check --nonsense mock", 2, "--nonsense");
  expect_error("plait check --explore nonsense mock", 2, "nonsense");
  expect_error("plait check --timeout -3 mock", 2, "--timeout: '-3' is no positive number (see plait check --help)");
  expect_error("plait check -j 0 mock", 2, "--jobs");
}

TEST_F(Command, UnknownMemoryModel) {
  expect_error("plait check --memory-model arm mock -- s", 2, "--memory-model: arm not in {sc,tso,pso}");
}

TEST_F(Command, CompilersByName) {
  for (const char* line :
       {"plait c++ --version", "plait cc --version", "ln -s '" PLAIT_COMMAND "' plait-c++ && ./plait-c++ --version"}) {
    Ran ran = shell(line);
    EXPECT_EQ(ran.exit_code, 0) << line << ran.err;
    EXPECT_NE(ran.out.find("clang version"), std::string::npos) << line << ran.out << ran.err;
  }
}

}  // namespace
}  // namespace plait
