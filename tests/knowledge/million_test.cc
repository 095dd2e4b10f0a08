// A search of a million states stays under 1 GB.
#include <gtest/gtest.h>
#include <malloc.h>

#include "explore/decider.h"
#include "many_threads.h"

namespace plait {
namespace {

TEST(Decider, AMillionStatesStayUnderAGigabyte) {
  Behaviour knowledge = testing_traces::writers(7, 5);
  const auto in_use = [] {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const std::size_t before = in_use();
  const std::atomic<bool> go_on{false};
  Decider decider(knowledge, {});
  ASSERT_TRUE(decider.search(go_on));
  EXPECT_TRUE(decider.leads().empty());
  ASSERT_GT(decider.states(), 1000000u);
  const std::size_t per_state = (in_use() - before) / decider.states();
  EXPECT_LT(per_state, 1000u) << decider.states() << " states";
  std::cout << decider.states() << " states, " << per_state << " bytes each\n";
}

}  // namespace
}  // namespace plait
