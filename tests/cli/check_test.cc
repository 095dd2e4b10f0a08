// plait check on the mock program: verdicts, limits, files, bad input.
#include "command.h"

namespace plait {
namespace {

using Check = CommandTest;

TEST_F(Check, Safe) {
  auto json = check_json("./mock -- sss sss", 0);
  EXPECT_EQ(json["verdict"], "safe");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["interleavings"], 20);
  EXPECT_EQ(json["explore"], "exhaustive");
  EXPECT_TRUE(json["bugs"].empty());
  EXPECT_TRUE(json["limits"].empty());
  Ran text = shell("plait check --explore exhaustive ./mock -- sss sss");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("safe"), std::string::npos);
  EXPECT_EQ(text.out.find('\033'), std::string::npos);
}

TEST_F(Check, Bug) {
  auto json = check_json("./mock -- sA s", 10);
  EXPECT_EQ(json["verdict"], "bug");
  ASSERT_EQ(json["bugs"].size(), 1u);
  EXPECT_EQ(json["bugs"][0]["kind"], "assertion");
  EXPECT_EQ(json["bugs"][0]["file"], "mock.cc");
  EXPECT_EQ(json["bugs"][0]["line"], 'A');
  EXPECT_TRUE(exists(json["bugs"][0]["schedule"]));
}

TEST_F(Check, KeepGoingFindsAllAndCompletes) {
  auto json = check_json("--keep-going ./mock -- sAL sL", 10);
  EXPECT_EQ(json["bugs"].size(), 2u);
  EXPECT_EQ(json["complete"], true);
  EXPECT_TRUE(exists("plait-out/bug-2.json"));
  // The same answer with more workers, and old files go with the next check.
  auto again = check_json("--keep-going -j3 ./mock -- sAL sL", 10);
  EXPECT_EQ(again["bugs"], json["bugs"]);
  check_json("./mock -- s s", 0);
  EXPECT_FALSE(exists("plait-out/bug-1.json"));
}

TEST_F(Check, OnlyWhatIsCheckedIsABug) {
  auto json = check_json("--ignore assertion ./mock -- sA s", 0);
  EXPECT_EQ(json["verdict"], "safe");
  EXPECT_EQ(json["notes"][0]["kind"], "assertion");
  EXPECT_EQ(check_json("--check deadlock ./mock -- sA s", 0)["checked"], nlohmann::json::array({"deadlock"}));
  EXPECT_EQ(check_json("--check deadlock,assertion ./mock -- sA s", 10)["verdict"], "bug");
  EXPECT_EQ(check_json("--check deadlock --check assertion ./mock -- sA s", 10)["verdict"], "bug");
  expect_error("plait check --check rac ./mock -- s", 2, "'rac' is no kind of bug: assertion, abort");
  expect_error("plait check --check race --races off ./mock -- s", 2, "nothing is left to be checked");
}

TEST_F(Check, DeadlockNamesTheHolder) {
  Ran ran = shell("plait check --explore exhaustive ./mock -- L L");
  EXPECT_EQ(ran.exit_code, 10);
  EXPECT_NE(ran.out.find("waits for mutex m"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("held by"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("plait replay plait-out/bug-1.json"), std::string::npos) << ran.out;
}

TEST_F(Check, CrashOfTheProcess) {
  auto json = check_json("./mock -- sX s", 10);
  EXPECT_EQ(json["bugs"][0]["kind"], "crash");
}

TEST_F(Check, Limits) {
  auto json = check_json("--max-executions 50 ./mock -- ssss ssss ss", 5);
  EXPECT_EQ(json["verdict"], "inconclusive");
  EXPECT_EQ(json["executions"], 50);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["limits"][0], "max-executions: 50");
  json = check_json("--max-events 3 ./mock -- sss ss", 5);
  EXPECT_EQ(json["limits"][0].get<std::string>().find("max-events"), 0u);
  json = check_json("--timeout 0.5 ./mock -- ssssssssssss ssssssssssss ssssssssssss", 5);
  EXPECT_EQ(json["limits"][0].get<std::string>().find("timeout"), 0u);
  EXPECT_LT(json["seconds"], 60);  // alone it would take years
}

TEST_F(Check, Random) {
  auto json = check_json("--explore random --max-executions 200 ./mock -- ss ss", 5);
  EXPECT_EQ(json["verdict"], "inconclusive");
  json = check_json("--explore random --seed 7 ./mock -- sA s", 10);
  EXPECT_EQ(json["verdict"], "bug");
}

TEST_F(Check, SleepSets) { EXPECT_EQ(check_json("--sleep-sets ./mock -- ssy s", 0)["interleavings"], 3); }

TEST_F(Check, Outcomes) {
  auto json = check_json("--outcomes ./mock -- s s", 0);
  ASSERT_EQ(json["outcomes"].size(), 2u);
  EXPECT_EQ(json["outcomes"][0]["stdout"], "x=100\n");
  EXPECT_EQ(json["outcomes"][1]["stdout"], "x=200\n");
  EXPECT_TRUE(exists("plait-out/outcome-2.json"));
  EXPECT_EQ(shell("plait replay plait-out/outcome-2.json").exit_code, 0);
}

TEST_F(Check, SelfCheck) {
  check_json("--self-check ./mock -- sss sLU", 0);
  auto json = check_json("--self-check ./mock -- sn s", 5);
  EXPECT_NE(json["limits"][0].get<std::string>().find("not deterministic"), std::string::npos);
}

TEST_F(Check, Interrupted) {
  // On a busy machine it may not be ready for a signal so soon: then the signal comes later.
  Ran ran;
  for (const char* seconds : {"1", "10", "100"}) {
    ran = shell("'" PLAIT_COMMAND
                "' check --explore exhaustive --format json"
                " ./mock -- ssssssssssss ssssssssssss ssssssssssss & sleep " +
                std::string(seconds) + "; kill -INT $!; wait $!");
    EXPECT_EQ(ran.exit_code, 130) << ran.err;
    if (!ran.out.empty()) break;
  }
  auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << ran.out;
  EXPECT_EQ(json["verdict"], "inconclusive");
  EXPECT_EQ(json["limits"][0], "interrupted");
}

TEST_F(Check, Colour) {
  EXPECT_NE(shell("plait check --explore exhaustive --color always ./mock -- s").out.find("\033["), std::string::npos);
  EXPECT_EQ(shell("plait check --explore exhaustive --color never ./mock -- s").out.find("\033["), std::string::npos);
}

TEST_F(Check, BadInput) {
  expect_error("plait check --explore exhaustive missing.cc", 2, "no such file");
  expect_error("plait check --explore exhaustive ./missing", 2, "no such file");
  write("script", "#!/bin/sh\n");
  expect_error("plait check --explore exhaustive ./script", 2, "neither a program nor");
  expect_error("plait check --explore exhaustive /bin/true", 2, "not an instrumented program");
  write("a.c", "int main(void) { return 0; }\n");
  expect_error("plait check --explore exhaustive a.c ./mock", 2, "not both");
  expect_error("plait check --explore exhaustive ./mock ./mock", 2, "one program at a time");
  expect_error("plait check --explore exhaustive ./mock -- --die s", 2, "libmissing.so");
  expect_error("plait check --explore exhaustive ./mock -- --wrong-version s", 2, "another version");
  expect_error("plait check --explore exhaustive --stdin missing ./mock -- s", 2, "cannot read the program's input");
  write("file", "");
  expect_error("plait check --explore exhaustive -o file/sub ./mock -- s", 2, "output directory");
}

TEST_F(Check, ABugFileThatCannotBeWritten) {
  // (A full disk: tests/report/files_test.cc.)
  shell("mkdir -p out/bug-1.json/in-the-way");
  const Ran ran = shell("plait check --explore exhaustive -o out ./mock -- sA s");
  EXPECT_EQ(ran.exit_code, 10) << ran.err;
  EXPECT_NE(ran.err.find("cannot write 'out/bug-1.json'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("replay: not possible"), std::string::npos) << ran.out;
}

TEST_F(Check, Progress) {
  Ran ran;
  for (const char* seconds : {"4", "40", "400"}) {  // the first may pass before a busy machine has begun
    ran = shell("plait check --explore exhaustive --timeout " + std::string(seconds) +
                " ./mock -- ssssssssssss ssssssssssss ssssssssssss");
    if (!ran.err.empty()) break;
  }
  EXPECT_NE(ran.err.find("executions"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find('\r'), std::string::npos);
  ran = shell("plait check --explore exhaustive -q --timeout 4 ./mock -- ssssssssssss ssssssssssss ssssssssssss");
  EXPECT_EQ(ran.err, "");
}

}  // namespace
}  // namespace plait
