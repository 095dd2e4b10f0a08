// The forms of an answer: SARIF, JUnit, annotations, HTML, the archive of an output directory.
#include "command.h"

namespace plait {
namespace {

class FormatsTest : public CommandTest {};
constexpr const char* kFails = "--explore exhaustive ./mock -- sA s";

TEST_F(FormatsTest, SummarySaysWhatTheVerdictRestsOn) {
  Ran bug = shell(std::string("plait check ") + kFails);
  EXPECT_EQ(bug.exit_code, 10);
  EXPECT_NE(bug.out.find("complete: no (stopped at the first bug"), std::string::npos) << bug.out;
  EXPECT_NE(bug.out.find("plait show plait-out/bug-1.json -f html"), std::string::npos) << bug.out;
  Ran safe = shell("plait check --explore exhaustive ./mock -- s s");
  EXPECT_NE(safe.out.find("complete: yes"), std::string::npos) << safe.out;
  Ran limited = shell("plait check --explore exhaustive --max-executions 3 ./mock -- sss sss");
  EXPECT_EQ(limited.exit_code, 5);
  EXPECT_NE(limited.out.find("complete: no (max-executions)"), std::string::npos) << limited.out;
}

TEST_F(FormatsTest, Sarif) {
  Ran ran = shell(std::string("plait check --format sarif ") + kFails);
  EXPECT_EQ(ran.exit_code, 10);
  auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << ran.out;
  EXPECT_EQ(json["runs"][0]["results"][0]["ruleId"], "assertion");
}

TEST_F(FormatsTest, JUnit) {
  Ran ran = shell(std::string("plait check --format junit ") + kFails + " >report.xml; echo $?");
  EXPECT_EQ(ran.out, "10\n");
  Ran parsed = shell(
      "python3 -c 'import xml.etree.ElementTree as t; r = t.parse(\"report.xml\").getroot(); "
      "print(r[0].get(\"failures\"), r[0][0].get(\"name\"), r[0][0][0].get(\"type\"))'");
  EXPECT_EQ(parsed.out, "1 ./mock assertion\n") << parsed.err;
}

TEST_F(FormatsTest, AnnotationsOnlyInAGitHubJob) {
  Ran outside = shell(std::string("env -u GITHUB_ACTIONS '" PLAIT_COMMAND "' check -q ") + kFails);
  EXPECT_EQ(outside.err.find("::error"), std::string::npos);
  Ran inside = shell(std::string("GITHUB_ACTIONS=true plait check -q --format json ") + kFails);
  EXPECT_NE(inside.err.find("::error "), std::string::npos) << inside.err;
  EXPECT_FALSE(nlohmann::json::parse(inside.out, nullptr, false).is_discarded());
}

TEST_F(FormatsTest, EachCheckHasANumber) {
  shell(std::string("plait check -q ") + kFails);
  shell("plait check -q --explore exhaustive ./mock -- s s");
  EXPECT_TRUE(exists("plait-out/run-1/bug-1.json"));
  EXPECT_TRUE(exists("plait-out/latest/result.json"));
  EXPECT_FALSE(exists("plait-out/latest/bug-1.json")) << "the last check was safe";
  EXPECT_EQ(shell("readlink plait-out/latest").out, "run-2\n");
  EXPECT_EQ(shell("plait replay -q plait-out/run-1/bug-1.json").exit_code, 10);
}

TEST_F(FormatsTest, HtmlIsOneFile) {
  shell(std::string("plait check -q ") + kFails);
  Ran ran = shell("plait show plait-out/bug-1.json -f html -o bug.html");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::string page = read("bug.html");
  EXPECT_EQ(page.find("{{"), std::string::npos);
  EXPECT_NE(page.find("plait replay plait-out/bug-1.json"), std::string::npos);
  EXPECT_EQ(shell("plait show plait-out/bug-1.json -f html").out, page);
  expect_error("plait show plait-out/bug-1.json -f html -o no/such/place.html", 2, "cannot write 'no/such/place.html'");
}

}  // namespace
}  // namespace plait
