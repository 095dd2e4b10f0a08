#include "check/kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace plait {
namespace {

TEST(Kinds, EveryKindHasItsOwnName) {
  std::set<std::string_view> names;
  for (int k = 0; k <= static_cast<int>(FailureKind::OutOfResources); ++k) {
    auto kind = static_cast<FailureKind>(k);
    EXPECT_TRUE(names.insert(kind_name(kind)).second) << k;
    EXPECT_EQ(kind_from_name(kind_name(kind)), kind);
    EXPECT_FALSE(kind_title(kind).empty());
  }
  EXPECT_EQ(kind_from_name("nonsense"), std::nullopt);
}

TEST(Kinds, OurLimitsAreNoBugs) {
  EXPECT_TRUE(is_bug(FailureKind::Assertion));
  EXPECT_TRUE(is_bug(FailureKind::InfiniteLoop));
  for (auto kind : {FailureKind::None, FailureKind::Unsupported, FailureKind::Divergence, FailureKind::OutOfResources})
    EXPECT_FALSE(is_bug(kind));
}

TEST(Kinds, SetsAreReadFromLists) {
  EXPECT_TRUE(KindSet::standard().contains(FailureKind::Race));
  EXPECT_FALSE(KindSet::standard().contains(FailureKind::ExitWithThreads));
  EXPECT_TRUE(KindSet::all().contains(FailureKind::ExitWithThreads));
  const KindSet two = KindSet::parse("race,deadlock");
  EXPECT_EQ(two.names(), (std::vector<std::string>{"deadlock", "race"}));
  EXPECT_FALSE(two.contains(FailureKind::Assertion));
  EXPECT_EQ(KindSet::parse("standard,exit-with-threads"), KindSet::all());
  for (const std::string& name : kind_choices()) EXPECT_NO_THROW(KindSet::parse(name)) << name;
}

TEST(Kinds, UnknownNamesAreRefusedWithTheList) {
  for (const char* list : {"", "rac", "race,", "divergence", "none"}) {
    try {
      KindSet::parse(list);
      FAIL() << list;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("is no kind of bug: assertion, abort"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace plait
