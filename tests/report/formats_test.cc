#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "report/annotations.h"
#include "report/archive.h"
#include "report/files.h"
#include "report/html.h"
#include "report/junit.h"
#include "report/names.h"
#include "report/sarif.h"
#include "sample.h"

namespace plait {
namespace {

CheckResult result_of(const Bug& bug) {
  CheckResult result;
  result.program = "bank";
  result.verdict = Verdict::Bug;
  result.executions = 3;
  result.bugs.push_back({bug, "out/bug-1.json"});
  return result;
}

CheckResult inconclusive() {
  CheckResult result;
  result.program = "big";
  result.limits = {"timeout: 3 seconds"};
  return result;
}

TEST(Sarif, OneThreadFlowPerThreadInOrderOfExecution) {
  Json json = result_to_sarif(result_of(sample::lost_update()), "1.2.3");
  EXPECT_EQ(json["version"], "2.1.0");
  const Json& run = json["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "assertion");
  const Json& bug = run["results"][0];
  EXPECT_EQ(bug["ruleId"], "assertion");
  EXPECT_EQ(bug["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/bank.cc");
  EXPECT_EQ(bug["locations"][0]["physicalLocation"]["region"]["startLine"], 23);
  const Json& flows = bug["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 3u);
  std::set<int> orders;
  size_t steps = 0;
  for (const Json& flow : flows)
    for (const Json& step : flow["locations"]) {
      orders.insert(step["executionOrder"].get<int>());
      EXPECT_FALSE(step["location"]["message"]["text"].get<std::string>().empty());
      ++steps;
    }
  EXPECT_EQ(steps, 5u);
  EXPECT_EQ(orders, (std::set<int>{1, 2, 3, 4, 5}));
}

TEST(Sarif, ThreadsOfADeadlockEndInWhatTheyWaitFor) {
  Json json = result_to_sarif(result_of(sample::lock_order()), "1");
  bool waits = false;
  for (const Json& flow : json["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"])
    waits |= flow["locations"].back()["location"]["message"]["text"] == "waits for mutex b";
  EXPECT_TRUE(waits);
}

TEST(Formats, StepsOfNoThreadOfTheProgram) {
  // Numbers up to the limit may step, whether or not the program has started so many threads.
  Bug bug = sample::lost_update();
  for (BugEvent& event : bug.events)
    if (event.raw.thread == 2) event.raw.thread = kMaxThreads - 1;
  EXPECT_EQ(html_data(bug, "")["threads"].back()["id"], kMaxThreads - 1);
  EXPECT_EQ(result_to_sarif(result_of(bug), "1")["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"].size(), 3u);
  EXPECT_NE(junit_text("all", {{"Bank", "deposit", result_of(bug)}}).find(thread_name(kMaxThreads - 1)),
            std::string::npos);
}

TEST(Sarif, FilesBecomeAddresses) {
  Bug bug = sample::lost_update();
  bug.failure->place.file = "/home/me/a b#1.cc";
  Json json = result_to_sarif(result_of(bug), "1");
  EXPECT_EQ(json["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///home/me/a%20b%231.cc");
}

TEST(Sarif, LimitsAreNotifications) {
  Json json = result_to_sarif(inconclusive(), "1");
  EXPECT_EQ(json["runs"][0]["results"].size(), 0u);
  EXPECT_EQ(json["runs"][0]["invocations"][0]["exitCode"], kExitInconclusive);
  EXPECT_EQ(json["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "timeout: 3 seconds");
}

TEST(JUnit, BugsAreFailuresAndUnfinishedChecksErrors) {
  Bug bug = sample::lost_update();
  bug.failure->message = "assertion failed: a < b && \"x\"\n\x01";
  CheckResult safe;
  safe.verdict = Verdict::Safe;
  std::string text =
      junit_text("all", {{"Bank", "deposit", result_of(bug)}, {"Bank", "fine", safe}, {"Big", "slow", inconclusive()}});
  EXPECT_NE(text.find("<testsuite name=\"Bank\" tests=\"2\" failures=\"1\" errors=\"0\""), std::string::npos) << text;
  EXPECT_NE(text.find("<testsuite name=\"Big\" tests=\"1\" failures=\"0\" errors=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("message=\"assertion failed: a &lt; b &amp;&amp; &quot;x&quot;&#10;?\""), std::string::npos)
      << text;
  EXPECT_NE(text.find("<error type=\"inconclusive\" message=\"timeout: 3 seconds\">limit: timeout"), std::string::npos);
  EXPECT_NE(text.find("replay: plait replay out/bug-1.json"), std::string::npos);
}

TEST(Annotations, AreAtTheLineAndEscaped) {
  Bug bug = sample::lost_update();
  bug.failure->message = "assertion failed: 100% sure";
  EXPECT_EQ(annotations(result_of(bug)),
            "::error file=src/bank.cc,line=23,title=Plait%3A assertion failed::assertion failed: 100%25 sure"
            "%0Areplay: plait replay out/bug-1.json\n");
  EXPECT_EQ(annotations(inconclusive()), "::warning title=Plait%3A inconclusive::timeout: 3 seconds\n");
  EXPECT_EQ(annotations(CheckResult{}), "");
}

class Archive : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "plait-archive-" + std::to_string(getpid());
    std::filesystem::remove_all(directory_);
    prepare_directory(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string directory_;
};

TEST_F(Archive, NumbersRunsAndNamesTheLatest) {
  for (int i = 1; i <= 3; ++i) {
    write_file(directory_ + "/bug-1.json", "bug of run " + std::to_string(i));
    EXPECT_EQ(archive_run(directory_, {directory_ + "/bug-1.json"}, "{}"), directory_ + "/run-" + std::to_string(i));
  }
  auto content = [&](const std::string& name) {
    std::ifstream in(directory_ + "/" + name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(content("run-1/bug-1.json"), "bug of run 1");
  EXPECT_EQ(content("latest/bug-1.json"), "bug of run 3");
  EXPECT_EQ(content("latest/result.json"), "{}");
}

TEST_F(Archive, KeepsTheLastRuns) {
  for (int i = 0; i < 5; ++i) archive_run(directory_, {}, "{}", 2);
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/run-3"));
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/run-4"));
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/run-5"));
}

TEST(Html, DataHoldThreadsEventsAndTheFailure) {
  Json data = html_data(sample::lost_update(), "plait replay x");
  EXPECT_EQ(data["threads"].size(), 3u);
  EXPECT_EQ(data["events"].size(), 5u);
  EXPECT_EQ(data["events"][2]["x"], "write balance = 150 (was 100)");
  EXPECT_EQ(data["events"][2]["v"], "150");
  EXPECT_EQ(data["edges"], Json::parse(R"([[3, 4, "reads-from"]])"));
  EXPECT_EQ(data["failure"]["kind"], "assertion");
  EXPECT_EQ(data["failure"]["l"], 23);
}

TEST(Html, SourcesThatChangedAreNotShownAsIfTheyHadNot) {
  std::string directory = testing::TempDir() + "plait-html-" + std::to_string(getpid());
  std::filesystem::create_directories(directory + "/src");
  Bug bug = sample::lost_update();
  bug.program.directory = directory;
  std::ofstream(directory + "/src/bank.cc") << "// another program\n";
  Json file = html_data(bug, "")["files"][0];
  EXPECT_EQ(file["changed"], true);
  EXPECT_EQ(file["lines"][0], Json::parse(R"([14, "int old = balance;"])"));
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace plait
