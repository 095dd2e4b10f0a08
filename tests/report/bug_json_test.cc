#include "report/bug_json.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "sample.h"

namespace plait {
namespace {

TEST(BugJson, ComesBackAsItWas) {
  for (const Bug& bug : {sample::lost_update(), sample::lock_order()}) {
    Json json = bug_to_json(bug);
    EXPECT_EQ(bug_to_json(bug_from_json(json, "f")), json);
  }
}

TEST(BugJson, KeepsWhatTheScheduleClaims) {
  Bug bug = sample::lost_update();
  for (const Claim& claim : {Claim{Claim::Race, 1, 2, 0}, Claim{Claim::RaceWithEarlier, 2, 1, 200},
                             Claim{Claim::Endless, 1, 0, 0}, Claim{}}) {
    bug.schedule.claim = claim;
    EXPECT_EQ(bug_from_json(bug_to_json(bug), "f").schedule.claim, claim);
  }
  bug.schedule.claim = {Claim::Race, 1, 2, 0};
  Json wrong = bug_to_json(bug);
  wrong["claim"]["other"] = kMaxThreads;
  EXPECT_THROW(bug_from_json(wrong, "f"), Error);
  wrong["claim"] = {{"kind", "good"}, {"thread", 1}};
  EXPECT_THROW(bug_from_json(wrong, "f"), Error);
}

TEST(BugJson, OlderFilesHaveTheClaimInTheLastEntry) {
  const Json json = bug_to_json(sample::lost_update());
  const auto read = [&](u32 arg) {
    Json old = json;
    old["schedule"].push_back({{"thread", 2}, {"position", kNextPoint}, {"arg", arg}});
    return bug_from_json(old, "f").schedule;
  };
  const size_t entries = json["schedule"].size();
  EXPECT_EQ(read(0x8001).claim, (Claim{Claim::Race, 2, 1, 0}));
  EXPECT_EQ(read(0x9301).claim, (Claim{Claim::RaceWithEarlier, 2, 1, 3}));
  EXPECT_EQ(read(0x4000).claim, (Claim{Claim::Endless, 2, 0, 0}));
  EXPECT_EQ(read(0x4000).choices.size(), entries);
  EXPECT_EQ(read(0).claim, Claim{});
  EXPECT_EQ(read(0).choices.size(), entries + 1);
}

TEST(BugJson, HasTheContractsFields) {
  Json json = bug_to_json(sample::lost_update());
  EXPECT_EQ(json["format"], "plait-bug");
  EXPECT_EQ(json["version"], 1);
  for (const char* field :
       {"program", "args", "sources", "cflags", "options", "threads", "schedule", "events", "failure"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json["threads"][2]["path"], "main.2");
  EXPECT_EQ(json["events"][2]["op"], "store");
  EXPECT_EQ(json["events"][2]["line"], 15);
  EXPECT_EQ(json["events"][2]["location"], "balance");
  EXPECT_EQ(json["failure"]["kind"], "assertion");
}

TEST(BugJson, AnOutcomeHasNoFailure) {
  Bug bug = sample::lost_update();
  bug.failure.reset();
  Json json = bug_to_json(bug);
  EXPECT_TRUE(json["failure"].is_null());
  EXPECT_FALSE(bug_from_json(json, "f").failure);
}

TEST(BugJson, AnythingMayBePrinted) {
  Bug bug = sample::lost_update();
  bug.output = "\xff\xfe\x01";
  EXPECT_NO_THROW(json_text(bug_to_json(bug), 1));
}

TEST(BugJson, ThreadNumbersHaveALimit) {
  Json json = bug_to_json(sample::lost_update());
  for (const char* list : {"events", "schedule"}) {
    Json wrong = json;
    wrong[list][0]["thread"] = kMaxThreads;
    EXPECT_THROW(bug_from_json(wrong, "f"), Error) << list;
    wrong[list][0]["thread"] = kMaxThreads - 1;
    EXPECT_NO_THROW(bug_from_json(wrong, "f")) << list;
  }
}

class Damaged : public testing::Test {
 protected:
  std::string problem(const std::string& text) {
    std::string path = testing::TempDir() + "plait-damaged-" + std::to_string(getpid()) + ".json";
    std::ofstream(path) << text;
    std::string message = "no error";
    try {
      read_bug_file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), kExitUsage);
      message = error.what();
      EXPECT_NE(message.find(path), std::string::npos);
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
    std::filesystem::remove(path);
    return message;
  }
};

TEST_F(Damaged, IsRefusedInOneLine) {
  std::string good = json_text(bug_to_json(sample::lost_update()), 1);
  EXPECT_EQ(problem(good), "no error");
  EXPECT_NE(problem(""), "no error");
  EXPECT_NE(problem("{}"), "no error");
  EXPECT_NE(problem("[1,2]"), "no error");
  for (size_t cut = 1; cut < good.size(); cut += 97) EXPECT_NE(problem(good.substr(0, cut)), "no error") << cut;
  Json json = bug_to_json(sample::lost_update());
  json["version"] = 2;
  EXPECT_NE(problem(json.dump()).find("version 2"), std::string::npos);
  for (const char* field : {"program", "schedule", "events", "threads", "options", "failure"}) {
    Json without = bug_to_json(sample::lost_update());
    without.erase(field);
    EXPECT_NE(problem(without.dump()), "no error") << field;
    without[field] = "nonsense";
    if (std::string(field) != "program") EXPECT_NE(problem(without.dump()), "no error") << field;
  }
}

TEST_F(Damaged, MissingFile) { EXPECT_THROW(read_bug_file("/nonexistent/bug.json"), Error); }

}  // namespace
}  // namespace plait
