#include "report/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace plait {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "plait-files-" + testing::UnitTest::GetInstance()->current_test_info()->name() +
                 "-" + std::to_string(getpid());
    fs::remove_all(directory_);
    prepare_directory(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }
  size_t entries() { return static_cast<size_t>(std::distance(fs::directory_iterator(directory_), {})); }
  std::string read(const std::string& name) {
    std::ifstream in(directory_ + "/" + name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::string directory_;
};

TEST_F(Files, WritesAndReplaces) {
  write_file(directory_ + "/a", "one");
  write_file(directory_ + "/a", "two");
  EXPECT_EQ(read("a"), "two");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, AFullDiskLeavesNothingBehind) {
  // Every write to /dev/full fails as on a full disk; a link under the temporary name leads there.
  std::string temporary = directory_ + "/a." + std::to_string(getpid()) + ".tmp";
  write_file(directory_ + "/a", "old");
  fs::create_symlink("/dev/full", temporary);
  try {
    write_file(directory_ + "/a", "new");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
    EXPECT_EQ(error.exit_code(), kExitUsage);
  }
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, MissingDirectory) { EXPECT_THROW(write_file(directory_ + "/none/a", "x"), Error); }

TEST_F(Files, DirectoryThatCannotBe) {
  write_file(directory_ + "/file", "x");
  EXPECT_THROW(prepare_directory(directory_ + "/file/sub"), Error);
}

TEST_F(Files, OldResultsGo) {
  for (const char* name : {"bug-1.json", "bug-2.json", "outcome-1.json", "bug-x.json", "bug-.json", "notes.txt"})
    write_file(directory_ + "/" + name, "x");
  remove_stale_results(directory_, 1, 0, 0);
  EXPECT_TRUE(fs::exists(directory_ + "/bug-1.json"));
  EXPECT_FALSE(fs::exists(directory_ + "/bug-2.json"));
  EXPECT_FALSE(fs::exists(directory_ + "/outcome-1.json"));
  EXPECT_TRUE(fs::exists(directory_ + "/bug-x.json"));
  EXPECT_TRUE(fs::exists(directory_ + "/notes.txt"));
}

}  // namespace
}  // namespace plait
