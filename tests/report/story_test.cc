// Golden stories: PLAIT_UPDATE_GOLDEN=1 rewrites them.
#include "report/story.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "report/blocked.h"
#include "report/relevant.h"
#include "sample.h"

namespace plait {
namespace {

void expect_golden(const std::string& name, const std::string& text) {
  std::string path = std::string(GOLDEN) + "/" + name + ".txt";
  if (std::getenv("PLAIT_UPDATE_GOLDEN")) std::ofstream(path) << text;
  std::ifstream in(path);
  std::stringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(text, expected.str()) << "see " << path;
}

TEST(Story, LostUpdate) { expect_golden("lost_update", story(sample::lost_update(), {})); }
TEST(Story, LockOrder) { expect_golden("lock_order", story(sample::lock_order(), {})); }
TEST(Story, StoreBuffering) { expect_golden("store_buffering", story(sample::store_buffering(), {})); }
TEST(Story, MessagePassing) { expect_golden("message_passing", story(sample::message_passing(), {})); }
TEST(Story, Narrow) { expect_golden("narrow", story(sample::lost_update(), StoryOptions{Style(false), 60, 24})); }

TEST(Story, ColourOnlyAddsEscapes) {
  std::string text = story(sample::lost_update(), StoryOptions{Style(true), 110, 24}), plain;
  EXPECT_NE(text.find("\033["), std::string::npos);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033')
      i = text.find('m', i);
    else
      plain += text[i];
  }
  std::istringstream a(plain), b(story(sample::lost_update(), {}));
  // Trailing spaces may stand before an escape.
  for (std::string x, y; std::getline(b, y);) {
    ASSERT_TRUE(std::getline(a, x));
    while (!x.empty() && x.back() == ' ') x.pop_back();
    EXPECT_EQ(x, y);
  }
}

TEST(Relevant, LeavesOutWhatHasNothingToDoWithTheFailure) {
  Bug bug = sample::lost_update();
  std::vector<BugEvent> noise(100, sample::event(2, 50, Op::Store, 99, "unrelated", "unrelated++;"));
  bug.events.insert(bug.events.begin() + 2, noise.begin(), noise.end());
  std::vector<size_t> shown = relevant_events(bug, 10);
  ASSERT_EQ(shown.size(), 5u);
  EXPECT_EQ(shown[0], 0u);
  EXPECT_EQ(shown[2], 102u);
}

TEST(Relevant, ShowsAStoreWithItsFlushAndWhatCouldNotSeeIt) {
  Bug bug = sample::store_buffering();
  std::vector<BugEvent> noise(100, sample::event(0, 50, Op::Load, 99, "unrelated", "unrelated;"));
  bug.events.insert(bug.events.begin() + 5, noise.begin(), noise.end());
  bug.failure->thread = 0;  // has touched neither x nor y
  std::vector<size_t> shown = relevant_events(bug, 10);
  for (size_t needed : {0u, 3u, 105u, 106u}) EXPECT_TRUE(std::find(shown.begin(), shown.end(), needed) != shown.end()) << needed;
  EXPECT_TRUE(std::find(shown.begin(), shown.end(), 1u) == shown.end()) << "its flush is shown, as a write";
}

TEST(Blocked, NamesHolderAndLine) {
  auto blocked = blocked_threads(sample::lock_order());
  ASSERT_EQ(blocked.size(), 3u);
  EXPECT_EQ(blocked_text(blocked[0]), "main waits for the end of T1 at bank.cc:30");
  EXPECT_EQ(blocked_text(blocked[1]), "T1 waits for mutex b at bank.cc:11, held by T2 since bank.cc:20");
  EXPECT_EQ(blocked_text(blocked[2]), "T2 waits for mutex a at bank.cc:21, held by T1 since bank.cc:10");
}

}  // namespace
}  // namespace plait
