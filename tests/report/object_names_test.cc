#include "report/object_names.h"

#include <gtest/gtest.h>

namespace plait {
namespace {

// Sites in main: 0 "m", 40 "arg->m", 80 inlined from a library with the text "flag", 120 (its caller) without one,
// 160 "value", 200 nothing.
const std::string kTables =
    "S\t0\t-1\t1\t1\ta.c\tmain\tm\n"
    "S\t40\t-1\t2\t1\ta.c\tmain\targ->m\n"
    "S\t80\t120\t3\t1\t/usr/include/atomic\tload\tflag\n"
    "S\t120\t-1\t4\t1\ta.c\tmain\t\n"
    "S\t160\t-1\t5\t1\ta.c\tmain\tvalue\n"
    "S\t200\t-1\t6\t1\ta.c\tmain\t\n"
    "G\t0x4000\t40\t1\ta.c\tlock\n"
    "T\tstack\t0\t0x800000\t0x900000\n"
    "E\t8\n";

class Named : public testing::Test {
 protected:
  void add(Op op, u64 location, u32 site) {
    Event event{};
    event.op = op;
    event.location = location;
    event.site = site;
    events_.push_back(event);
  }
  std::vector<std::string> names() const {
    const ProgramMap map = ProgramMap::parse(kTables);
    const ObjectNames names(map, events_);
    std::vector<std::string> result;
    for (size_t i = 0; i < events_.size(); ++i) result.push_back(names.name(i, map.place(events_[i].site)));
    return result;
  }

 private:
  std::vector<Event> events_;
};

using Names = std::vector<std::string>;

TEST_F(Named, ALockHasOneNameWhoeverUsesIt) {
  add(Op::Lock, 0x800010, 40);
  add(Op::Unlock, 0x800010, 200);
  add(Op::Lock, 0x800010, 0);
  EXPECT_EQ(names(), (Names{"m", "m", "m"}));
}

TEST_F(Named, TwoLocksHaveTwoNames) {
  add(Op::Lock, 0x800010, 40);
  add(Op::Lock, 0x800040, 40);
  EXPECT_EQ(names(), (Names{"arg->m (stack of main +0x10)", "arg->m (stack of main +0x40)"}));
}

TEST_F(Named, GlobalVariablesNameTheirLocks) {
  add(Op::Lock, 0x4000, 40);
  EXPECT_EQ(names(), (Names{"lock"}));
}

TEST_F(Named, TheMutexOfAWaiterIsNotWhatItWaitsFor) {
  add(Op::CondWait, 0x800080, 0);
  add(Op::Reacquire, 0x800010, 0);
  EXPECT_EQ(names(), (Names{"m", "stack of main +0x10"}));
}

TEST_F(Named, AccessesInLibrariesAreInTheCallersWords) {
  add(Op::Load, 0x800020, 80);
  add(Op::Load, 0x4000, 80);  // a global variable's name is better
  EXPECT_EQ(names(), (Names{"flag", "lock"}));
}

TEST_F(Named, AccessesKeepTheirOwnExpressionAndLendIt) {
  add(Op::Store, 0x800030, 160);
  add(Op::Load, 0x800030, 200);
  add(Op::Load, 0x800030, 40);
  add(Op::Lock, 0x800030, 200);  // something else, at another time, in the same place
  EXPECT_EQ(names(), (Names{"value", "value", "arg->m", "stack of main +0x30"}));
}

}  // namespace
}  // namespace plait
