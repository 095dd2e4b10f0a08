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
