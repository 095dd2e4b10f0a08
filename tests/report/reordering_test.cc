#include "report/reordering.h"

#include <gtest/gtest.h>

#include "report/bug_json.h"
#include "report/divergence.h"
#include "report/result.h"
#include "report/sarif.h"
#include "sample.h"

namespace plait {
namespace {

std::vector<std::string> sentences(const Bug& bug) {
  std::vector<std::string> texts;
  for (const Reordering& r : reorderings(bug, Buffers(bug))) texts.push_back(r.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Reordering, AReadDoesNotSeeAStoreInAnotherBuffer) {
  EXPECT_EQ(sentences(sample::store_buffering()),
            (Texts{"T1's store to x (bank.cc:12) was still in its buffer when T2 read x (bank.cc:30)"}));
}

TEST(Reordering, AStoreOvertakesAnother) {
  EXPECT_EQ(sentences(sample::message_passing()),
            (Texts{"T1's store to flag (bank.cc:9) reached memory before its store to data (bank.cc:8)",
                   "T1's store to data (bank.cc:8) was still in its buffer when T2 read data (bank.cc:17)"}));
}

TEST(Reordering, AWriteComesBeforeAnOlderOne) {
  Bug bug = sample::weak_memory(MemoryModel::Tso);
  BugEvent mine = sample::buffered(1, 1, 5, "turn", 1), other = sample::buffered(2, 1, 6, "turn", 2);
  bug.events = {mine, sample::event(1, 2, Op::Load, 7, "x", "x;"), other, sample::flush(other), sample::flush(mine, 2)};
  EXPECT_EQ(sentences(bug),
            (Texts{"T1's store to turn (bank.cc:5) was still in its buffer when T2 wrote turn (bank.cc:6)"}));
}

TEST(Reordering, EqualValuesMakeNoDifference) {
  Bug bug = sample::store_buffering();
  bug.events[0].raw.operand = bug.events[6].raw.operand = 0;
  bug.events[2].raw.value = 0;
  EXPECT_EQ(sentences(bug), Texts{});
}

TEST(Reordering, ALoopIsToldOnce) {
  Bug bug = sample::store_buffering();
  const BugEvent read = bug.events[5];
  bug.events.insert(bug.events.begin() + 5, 20, read);
  EXPECT_EQ(sentences(bug).size(), 1u);
}

TEST(Reordering, SummaryTellsWhetherStoresWereDelayed) {
  Bug bug = sample::message_passing();
  EXPECT_EQ(
      reordering_summary(bug, Buffers(bug)),
      "under pso: T1's store to flag (bank.cc:9) reached memory before its store to data (bank.cc:8) (and 1 more)");
  bug.events.resize(3);
  EXPECT_EQ(reordering_summary(bug, Buffers(bug)), "under pso: no store was delayed, this can happen under sc, too");
  bug = sample::lost_update();
  EXPECT_EQ(reordering_summary(bug, Buffers(bug)), "");
}

TEST(Reordering, JsonHasBuffersFlushesAndSentences) {
  Json json = bug_to_json(sample::store_buffering());
  EXPECT_EQ(json["events"][0]["buffered"], true);
  EXPECT_EQ(json["events"][6]["flush"], 0);
  EXPECT_EQ(json["events"][6]["owner"], 1);
  EXPECT_EQ(json["events"][6]["description"], "x = 1 reaches memory (written at line 12)");
  EXPECT_EQ(json["events"][2]["description"], "read x = 1 (from its own buffer)");
  ASSERT_EQ(json["reordering"].size(), 1u);
  EXPECT_EQ(json["reordering"][0]["events"], (Json{0, 5}));
  EXPECT_FALSE(bug_to_json(sample::lost_update()).contains("reordering"));
  EXPECT_EQ(bug_to_json(bug_from_json(json, "x")), json);
}

TEST(Reordering, SarifHasFlowsOfThreadsOnly) {
  CheckResult result;
  result.bugs.push_back({sample::store_buffering(), "bug-1.json"});
  Json bug = result_to_sarif(result, "1")["runs"][0]["results"][0];
  EXPECT_NE(bug["message"]["text"].get<std::string>().find("was still in its buffer"), std::string::npos);
  EXPECT_EQ(bug["codeFlows"][0]["threadFlows"].size(), 2u);
  EXPECT_EQ(bug["properties"]["reordering"].size(), 1u);
}

TEST(Reordering, DivergenceNamesTheBuffer) {
  Bug expected = sample::store_buffering(), got = expected;
  std::swap(got.events[4], got.events[5]);
  EXPECT_EQ(divergence(expected, got, Likeness::Exact),
            "diverged at event 5: expected T2's buffer: y = 1 reaches memory (written at line 29) (bank.cc:29), got T2 "
            "read x = 0 "
            "(bank.cc:30)");
  EXPECT_EQ(actor_name(machine::rules_of(MemoryModel::Tso), buffer_of(0)), "main's buffer");
  EXPECT_EQ(actor_name(machine::rules_of(MemoryModel::Sc), 33), "T33");
}

}  // namespace
}  // namespace plait
