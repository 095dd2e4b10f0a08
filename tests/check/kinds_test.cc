#include "check/kinds.h"

#include <gtest/gtest.h>

#include <set>

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

}  // namespace
}  // namespace plait
