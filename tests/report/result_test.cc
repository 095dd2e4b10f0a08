#include "report/result.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "base/error.h"
#include "report/inputs.h"
#include "sample.h"

namespace plait {
namespace {

CheckResult safe() {
  CheckResult result;
  result.verdict = Verdict::Safe;
  result.complete = true;
  result.explore = "exhaustive";
  result.executions = 37;
  result.interleavings = 20;
  result.seconds = 0.5;
  return result;
}

CheckResult with_bug() {
  CheckResult result = safe();
  result.verdict = Verdict::Bug;
  result.complete = false;
  result.bugs.push_back({sample::lost_update(), "out dir/bug-1.json"});
  return result;
}

TEST(Result, JsonIsTheContract) {
  Json json = result_to_json(with_bug());
  std::vector<std::string> keys;
  for (auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{
                "verdict",         "complete",      "memory_model", "explore",       "executions", "blocked_executions",
                "histories",       "merged",        "alike",        "classes",       "paths",      "states",
                "events",          "seconds",       "solver",       "interleavings", "bugs",       "inputs",
                "explored_inputs", "input_classes", "checked",      "notes",         "opaque",     "outcomes",
                "limits",          "next"}));
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(json["bugs"][0]["kind"], "assertion");
  EXPECT_EQ(json["bugs"][0]["file"], "src/bank.cc");
  EXPECT_EQ(json["bugs"][0]["line"], 23);
  EXPECT_EQ(json["bugs"][0]["schedule"], "out dir/bug-1.json");
  EXPECT_EQ(result_to_json(safe())["verdict"], "safe");
}

TEST(Result, NotesAreNoBugs) {
  CheckResult result = safe();
  result.notes.push_back(
      {FailureKind::ExitWithThreads, "main can end the program while T1 still runs", {.file = "a.c", .line = 7}});
  EXPECT_EQ(exit_code(result), kExitSafe);
  EXPECT_NE(result_text(result, {})
                .find("note: main can end the program while T1 still runs (at a.c:7) [exit-with-threads]\n"),
            std::string::npos);
  const Json json = result_to_json(result);
  EXPECT_EQ(json["notes"][0]["kind"], "exit-with-threads");
  EXPECT_EQ(json["notes"][0]["line"], 7);
  EXPECT_TRUE(json["bugs"].empty());
}

TEST(Result, SaysWhatWasCheckedUnlessItIsTheDefault) {
  CheckResult result = safe();
  EXPECT_EQ(result_text(result, {}).find("checked:"), std::string::npos);
  result.checked.remove(KindSet::parse("race"));
  EXPECT_NE(result_text(result, {}).find("checked:  all kinds of bugs but exit-with-threads, race\n"),
            std::string::npos);
  result.checked = KindSet::parse("deadlock");
  EXPECT_NE(result_text(result, {}).find("checked:  deadlock\n"), std::string::npos);
  EXPECT_EQ(result_to_json(result)["checked"], Json::array({"deadlock"}));
}

InputVariable an_input(const char* name, u8 width, bool is_signed, u64 value) {
  InputVariable input{};
  std::snprintf(input.name, sizeof input.name, "%s", name);
  input.id = 77;
  input.width = width;
  input.is_signed = is_signed;
  input.value = value;
  input.has_value = 1;
  return input;
}

TEST(Result, SaysWhichInputsWereExplored) {
  CheckResult result = safe();
  result.explored = {{"n", 32, 3}};
  result.input_classes = 3;
  EXPECT_EQ(result_to_json(result)["inputs"], "explored");
  EXPECT_EQ(result_to_json(result)["explored_inputs"][0]["values"], 3);
  EXPECT_NE(result_text(result, {}).find("no schedule and no input breaks it"), std::string::npos);
  EXPECT_NE(result_text(result, {}).find("inputs:   n explored in 3 classes\n"), std::string::npos);
}

TEST(Inputs, AreToldAndKept) {
  std::vector<InputVariable> inputs = {an_input("n", 32, true, 0xffffffff), an_input("n", 8, false, 255)};
  inputs[1].thread = 1;
  inputs[1].has_range = 1;
  inputs[1].high = 255;
  EXPECT_EQ(inputs_text(inputs), "n = -1, n of T1 = 255");
  inputs[1].thread = 0;
  EXPECT_EQ(inputs_text(inputs), "n = -1, n#2 = 255");
  const std::vector<InputVariable> again = inputs_from_json(inputs_to_json(inputs));
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].value, 0xffffffffu);
  EXPECT_EQ(again[1].high, 255u);
  EXPECT_TRUE(again[1].has_range);
  EXPECT_EQ(inputs_text(again), inputs_text(inputs));
  Json damaged = inputs_to_json(inputs);
  damaged[0]["bits"] = 65;
  EXPECT_THROW(inputs_from_json(damaged), std::runtime_error);
}

TEST(Result, SaysWhichInputsAreFixed) {
  CheckResult result = safe();
  EXPECT_EQ(result_to_json(result)["inputs"], "none");
  result.inputs = {"arguments", "clocks"};
  EXPECT_EQ(result_to_json(result)["inputs"], "fixed");
  EXPECT_EQ(result_to_json(result)["verdict"], "safe");
  const std::string text = result_text(result, {});
  EXPECT_NE(text.find("safe for the given inputs: no schedule breaks it ("), std::string::npos) << text;
  EXPECT_NE(text.find("  inputs:   fixed (arguments, clocks)\n"), std::string::npos) << text;
}

TEST(Result, AnAuditThatIsSurprisedIsAnInternalError) {
  CheckResult result = safe();
  result.audit = ReportedAudit{.runs = 100, .surprise = "", .place = {}, .file = ""};
  EXPECT_EQ(exit_code(result), kExitSafe);
  EXPECT_NE(result_text(result, {}).find("  audited:  100 random schedules, no surprise\n"), std::string::npos);
  EXPECT_TRUE(result_to_json(result)["audit"]["surprise"].is_null());
  result.audit->surprise = "a result that was not known";
  result.audit->file = "out/surprise.json";
  EXPECT_EQ(exit_code(result), kExitInternal);
  EXPECT_EQ(result_to_json(result)["audit"]["surprise"]["schedule"], "out/surprise.json");
}

TEST(Result, ExitCodes) {
  EXPECT_EQ(exit_code(safe()), kExitSafe);
  EXPECT_EQ(exit_code(with_bug()), kExitBug);
  EXPECT_EQ(exit_code(CheckResult{}), kExitInconclusive);
  CheckResult interrupted = with_bug();
  interrupted.interrupted = true;
  EXPECT_EQ(exit_code(interrupted), kExitInterrupted);
}

TEST(Result, TextSaysWhatToDo) {
  std::string text = result_text(with_bug(), {});
  EXPECT_NE(text.find("replay: plait replay 'out dir/bug-1.json'"), std::string::npos) << text;
  EXPECT_NE(text.find("1 bug ("), std::string::npos);
  EXPECT_NE(result_text(safe(), {}).find("safe: no schedule breaks it"), std::string::npos);
  CheckResult limited = safe();
  limited.verdict = Verdict::Inconclusive;
  limited.limits = {"timeout: 3 seconds"};
  EXPECT_NE(result_text(limited, {}).find("limit: timeout: 3 seconds"), std::string::npos);
}

TEST(Result, QuietIsShort) {
  ResultTextOptions options;
  options.quiet = true;
  std::string text = result_text(with_bug(), options);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 3);
}

}  // namespace
}  // namespace plait
