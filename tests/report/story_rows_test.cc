#include "report/story_rows.h"

#include <gtest/gtest.h>

#include "report/bug_json.h"
#include "sample.h"

namespace plait {
namespace {

std::vector<std::string> texts(const Bug& bug, StoryRow::Kind kind) {
  std::vector<std::string> result;
  for (const StoryRow& row : story_rows(bug, 40))
    if (row.kind == kind) result.push_back(row.text);
  return result;
}

TEST(StoryRows, SayWhetherAThreadIsInterruptedOrWaits) {
  Bug bug = sample::lost_update();
  EXPECT_EQ(texts(bug, StoryRow::Note), (std::vector<std::string>{"is interrupted here"}));
  bug.events = {sample::event(2, 1, Op::Lock, 1, "m", ""), sample::event(1, 1, Op::Load, 2, "x", ""),
                sample::event(2, 2, Op::Load, 3, "x", ""), sample::event(2, 3, Op::Unlock, 4, "m", ""),
                sample::event(1, 2, Op::Lock, 5, "m", "")};
  bug.events[2].raw.enabled = bug.events[3].raw.enabled = bit(2);
  EXPECT_EQ(texts(bug, StoryRow::Note),
            (std::vector<std::string>{"is interrupted here", "waits for mutex m, held by T2"}));
}

TEST(StoryRows, FoldsSayWhoseStepsTheyAre) {
  Bug bug = sample::lost_update();
  std::vector<BugEvent> noise(100, sample::event(2, 50, Op::Store, 99, "unrelated", "unrelated++;"));
  bug.events.insert(bug.events.begin() + 1, noise.begin(), noise.end());
  EXPECT_EQ(texts(bug, StoryRow::Fold), (std::vector<std::string>{"... 100 steps of T2"}));
}

TEST(StoryRows, JsonTellsTheSame) {
  Bug bug = sample::lock_order();
  Json told = bug_to_json(bug)["story"];
  std::vector<StoryRow> rows = story_rows(bug, 40);
  ASSERT_EQ(told.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(told[i]["text"], rows[i].text);
  EXPECT_EQ(told[0]["kind"], "step");
  EXPECT_EQ(told[0]["place"], "bank.cc:10");
}

}  // namespace
}  // namespace plait
