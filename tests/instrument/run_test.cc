// Instrumented programs, linked with the stub runtime, do what the same programs do uninstrumented, at every level.
#include <gtest/gtest.h>

#include "ir.h"

namespace plait::test {
namespace {

std::string program(const std::string& name) { return std::string(PLAIT_TEST_PROGRAMS) + "/" + name; }

class Run : public testing::TestWithParam<const char*> {};

void compare(Lang lang, const std::vector<std::string>& files, std::vector<std::string> flags) {
  const std::string compiler = lang == Lang::Cxx ? PLAIT_CLANGXX : PLAIT_CLANG;
  const std::string plain = scratch_directory() + "/plain", hooked = scratch_directory() + "/hooked";
  std::vector<std::string> common = {"-w", "-mcx16", "-pthread"};
  common.insert(common.end(), flags.begin(), flags.end());
  std::vector<std::string> command = {compiler, "-o", plain};
  command.insert(command.end(), common.begin(), common.end());
  for (const std::string& file : files) command.push_back(program(file));
  Output built = run(command);
  ASSERT_EQ(built.status, 0) << built.text;

  command = {compiler, "-o", hooked};
  for (const std::string& flag : plait_flags()) command.push_back(flag);
  command.insert(command.end(), common.begin(), common.end());
  for (const std::string& file : files) command.push_back(program(file));
  command.push_back(PLAIT_STUB_RUNTIME);
  built = run(command);
  ASSERT_EQ(built.status, 0) << built.text;

  const Output expected = run({plain}), got = run({hooked});
  EXPECT_EQ(expected.status, 0);
  EXPECT_EQ(got.status, expected.status);
  EXPECT_EQ(got.text, expected.text);
  EXPECT_FALSE(expected.text.empty());
  const Output counted = run({"env", "PLAIT_STUB_COUNTS=1", hooked});
  EXPECT_NE(counted.text.find("hooks "), std::string::npos);
  EXPECT_EQ(counted.text.find("hooks 0\n"), std::string::npos) << "nothing was instrumented";
}

TEST_P(Run, TypesAndAtomics) { compare(Lang::C, {"types.c"}, {GetParam()}); }
TEST_P(Run, Vectors) { compare(Lang::C, {"vectors.c", "masked.ll"}, {GetParam()}); }
INSTANTIATE_TEST_SUITE_P(Levels, Run, testing::Values("-O0", "-O1", "-O2", "-O3", "-Os"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

TEST(Run, WideAtomics) { compare(Lang::Cxx, {"wide_atomics.cc"}, {"-O1", "-std=c++20", "-latomic"}); }

// The C++ library takes seconds to compile: fewer levels.
TEST(RunLibrary, O0) { compare(Lang::Cxx, {"library.cc", "library_other.cc"}, {"-O0", "-std=c++17"}); }
TEST(RunLibrary, O1) { compare(Lang::Cxx, {"library.cc", "library_other.cc"}, {"-O1", "-std=c++20"}); }
TEST(RunLibrary, FixedAddressAndGarbageCollectedSections) {
  compare(Lang::Cxx, {"library.cc", "library_other.cc"},
          {"-O2", "-std=c++20", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-no-pie", "-fno-pie"});
}

}  // namespace
}  // namespace plait::test
