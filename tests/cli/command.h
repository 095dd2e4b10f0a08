// Runs the command in a directory of its own.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace plait {

struct Ran {
  int exit_code = -1;
  std::string out, err;
};

class CommandTest : public testing::Test {
 protected:
  void SetUp() override {
    auto* info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = testing::TempDir() + "plait-cli-" + info->test_suite_name() + "-" + info->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    std::filesystem::copy_file(MOCK_PROGRAM, directory_ + "/mock");
  }
  void TearDown() override {
    if (!HasFailure()) std::filesystem::remove_all(directory_);
  }
  std::string slurp(const std::string& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ + "/" + name) << text; }
  std::string read(const std::string& name) { return slurp(directory_ + "/" + name); }
  bool exists(const std::string& name) { return std::filesystem::exists(directory_ + "/" + name); }

  /// A shell command line in the test's directory; "plait" is the command under test.
  Ran shell(const std::string& line) {
    std::string script = "cd '" + directory_ + "' && plait() { '" PLAIT_COMMAND "' \"$@\"; } && { " + line +
                         "\n} >.out 2>.err </dev/null";
    int status = std::system(("sh -c \"$(cat <<'PLAIT_SCRIPT'\n" + script + "\nPLAIT_SCRIPT\n)\"").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }
  /// Enumerates unless the arguments say otherwise: the mock's answers are numbers of interleavings.
  nlohmann::json check_json(const std::string& arguments, int expected_exit) {
    std::string explore = arguments.find("--explore") == std::string::npos ? "--explore exhaustive " : "";
    Ran ran = shell("plait check --format json " + explore + arguments);
    EXPECT_EQ(ran.exit_code, expected_exit) << ran.out << ran.err;
    auto json = nlohmann::json::parse(ran.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << ran.out;
    return json;
  }
  /// Exit code and a one-line message with this text.
  void expect_error(const std::string& line, int exit_code, const std::string& text) {
    Ran ran = shell(line);
    EXPECT_EQ(ran.exit_code, exit_code) << line << "\n" << ran.err;
    EXPECT_NE(ran.err.find(text), std::string::npos) << line << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "") << line;
  }
  std::string directory_;
};

}  // namespace plait
