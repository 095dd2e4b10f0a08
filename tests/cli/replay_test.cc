// plait replay and plait show.
#include "command.h"

namespace plait {
namespace {

class Replay : public CommandTest {
 protected:
  nlohmann::json bug() { return nlohmann::json::parse(read("plait-out/bug-1.json")); }
};

TEST_F(Replay, FailsAgain) {
  for (const char* threads : {"sA s", "L L", "W N", "sX s", "W W NsA"}) {
    check_json(std::string("./mock -- ") + threads, 10);
    Ran ran = shell("plait replay plait-out/bug-1.json");
    EXPECT_EQ(ran.exit_code, 10) << threads << ran.err;
    EXPECT_NE(ran.out.find("mock.cc"), std::string::npos) << ran.out;
  }
}

TEST_F(Replay, FromAnotherDirectory) {
  check_json("./mock -- sA s", 10);
  EXPECT_EQ(shell("mkdir sub && cd sub && plait replay ../plait-out/bug-1.json").exit_code, 10);
}

TEST_F(Replay, SaysWhereItDiverged) {
  check_json("./mock -- sA s", 10);
  auto json = bug();
  json["events"][0]["value"] = 77;
  write("changed.json", json.dump());
  expect_error("plait replay changed.json", 5, "diverged at event 1: expected");
  json = bug();
  json["args"] = {"ss", "s"};
  write("changed.json", json.dump());
  expect_error("plait replay changed.json", 5, "diverged at event");
  json = bug();
  json["args"] = {"LA", "L"};
  write("changed.json", json.dump());
  expect_error("plait replay changed.json", 5, "diverged at event");
}

TEST_F(Replay, BadFiles) {
  expect_error("plait replay missing.json", 2, "cannot read 'missing.json'");
  write("bad.json", "{\"format\": \"plait-bug\"");
  expect_error("plait replay bad.json", 2, "damaged");
  expect_error("plait show bad.json", 2, "damaged");
  check_json("./mock -- sA s", 10);
  expect_error("rm mock && plait replay plait-out/bug-1.json", 2, "cannot read './mock'");
}

TEST_F(Replay, AThreadThatCannotBe) {
  check_json("./mock -- sA s", 10);
  auto json = bug();
  json["schedule"][0]["thread"] = 60;
  write("changed.json", json.dump());
  EXPECT_NE(shell("plait replay changed.json").exit_code, 10);
}

TEST_F(Replay, Show) {
  check_json("./mock -- sA s", 10);
  Ran text = shell("rm mock; plait show plait-out/bug-1.json");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("assertion failed at mock.cc:65"), std::string::npos) << text.out;
  Ran json = shell("plait show -f json plait-out/bug-1.json");
  EXPECT_EQ(nlohmann::json::parse(json.out), bug());
}

}  // namespace
}  // namespace plait
