#include "host/program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace plait {
namespace {

class ProgramFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "plait-program-" + testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void TearDown() override { std::filesystem::remove_all(path_); }
  std::string problem() {
    try {
      require_instrumented(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), kExitUsage);
      return error.what();
    }
    return "";
  }
  void write(const std::string& content, mode_t mode = 0755) {
    std::ofstream(path_, std::ios::binary) << content;
    chmod(path_.c_str(), mode);
  }
  std::string path_;
};

TEST_F(ProgramFile, MissingFile) { EXPECT_NE(problem().find("No such file"), std::string::npos); }
TEST_F(ProgramFile, Directory) {
  std::filesystem::create_directory(path_);
  EXPECT_NE(problem().find("is not a file"), std::string::npos);
}
TEST_F(ProgramFile, Script) {
  write("#!/bin/sh\n");
  EXPECT_NE(problem().find("neither a program nor"), std::string::npos);
}
TEST_F(ProgramFile, Empty) {
  write("");
  EXPECT_NE(problem().find("neither a program nor"), std::string::npos);
}
TEST_F(ProgramFile, NotInstrumented) {
  write("\177ELF and nothing else");
  EXPECT_NE(problem().find("not an instrumented program"), std::string::npos);
}
TEST_F(ProgramFile, OtherVersion) {
  write("\177ELF plait-instrumented v9");
  EXPECT_NE(problem().find("another version"), std::string::npos);
}
TEST_F(ProgramFile, VersionAtTheVeryEnd) {
  write("\177ELF plait-instrumented v");
  EXPECT_NE(problem().find("another version"), std::string::npos);
}
TEST_F(ProgramFile, Instrumented) {
  write("\177ELF plait-instrumented v1");
  EXPECT_EQ(problem(), "");
}
TEST_F(ProgramFile, MissingInput) { EXPECT_THROW(open_input(Program{"p", {}, path_}), Error); }

}  // namespace
}  // namespace plait
