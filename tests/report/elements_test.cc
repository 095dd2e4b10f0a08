#include "report/elements.h"

#include <gtest/gtest.h>

namespace plait {
namespace {

// A vector<int> "log" at 0x4000, a map<string, Account> "scores" at 0x4100. Sites 40 to 160 lie in the library: they
// allocate an array of int, a node of the map, the table of a hash map, an Account with its counts.
const std::string kTables =
    "S\t0\t-1\t1\t1\ta.cc\tmain\t\n"
    "S\t40\t-1\t9\t1\t/usr/include/c++/12/a.h\tallocate\t\n"
    "S\t80\t-1\t9\t1\t/usr/include/c++/12/a.h\tallocate\t\n"
    "S\t120\t-1\t9\t1\t/usr/include/c++/12/a.h\tallocate\t\n"
    "S\t160\t-1\t9\t1\t/usr/include/c++/12/a.h\tallocate\t\n"
    "G\t0x4000\t24\t1\ta.cc\tlog\n"
    "G\t0x4100\t48\t1\ta.cc\tscores\n"
    "Y\tvariable\t4000\tstd::vector<int>\t<4>\n"
    "Y\tvariable\t4100\tstd::map\t()\n"
    "Y\tsite\t40\tint\t[4]\n"
    "Y\tsite\t80\tstd::_Rb_tree_node<std::pair>\t[80{0,32,;32,48,{0,48,{0,32,first<1>;32,8,second{0,4,balance;4,4,open;"
    "};};};}]\n"
    "Y\tsite\t120\tstd::__detail::_Hash_node_base\t[8*]\n"
    "Y\tsite\t160\tstd::_Sp_counted_ptr_inplace<bank::Account, std::allocator<void>, 2>\t[24{16,4,balance;}]\n"
    "E\t13\n";

// The map's first node holds the key "ann", the second one, which the first one points to, a text that lies elsewhere.
const std::string kAccount =
    "B\t6000\t10\t0\t0\t0\t65535\t0\t40\n"
    "B\t7000\t50\t0\t0\t0\t65535\t0\t80\n"
    "B\t8000\t50\t0\t0\t0\t65535\t0\t80\n"
    "B\t9000\t20\t0\t0\t0\t65535\t0\t120\n"
    "B\ta000\t18\t0\t0\t0\t65535\t0\t160\n"
    "B\tb000\t10\t0\t0\t0\t65535\t0\t40\n"
    "P\t4000\t6000\n"
    "P\t4008\t600c\n"
    "P\t4110\t7000\n"
    "P\t7018\t8000\n"
    "M\t7000\t" +
    std::string(64, '0') + "3070000000000000" + "0300000000000000" + "616e6e00" + std::string(56, '0') +
    "\n"
    "M\t8000\t" +
    std::string(64, '0') + "0000000000000001" + "0300000000000000" + std::string(64, '0') + "\n";

class ElementNames : public testing::Test {
 protected:
  const Element* at(u64 address) { return elements_.of(*account_.block_at(address)); }
  const ProgramMap map_ = ProgramMap::parse(kTables);
  const Account account_ = Account::parse(kAccount);
  Elements elements_{map_, account_, {}, [this](u64 address) { return map_.variable_at(address)->name; }};
};

TEST_F(ElementNames, OfAVectorAreCounted) {
  ASSERT_TRUE(at(0x6000));
  EXPECT_EQ(at(0x6000)->name(8, 4), "log[2]");
  EXPECT_EQ(at(0x6000)->name(), "log[]");
}

TEST_F(ElementNames, OfAMapHaveTheirKeys) {
  ASSERT_TRUE(at(0x7000));
  EXPECT_EQ(at(0x7000)->name(64, 4), "scores[\"ann\"].balance");
  EXPECT_EQ(at(0x7000)->name(68, 4), "scores[\"ann\"].open");
  EXPECT_EQ(at(0x7000)->name(64, 8), "scores[\"ann\"]");
  EXPECT_EQ(at(0x7000)->name(32, 8), "the key of scores[\"ann\"]");
  EXPECT_EQ(at(0x7000)->name(24, 8), "the links of scores");
}

TEST_F(ElementNames, ATextThatIsNotKnownIsNoKey) {
  ASSERT_TRUE(at(0x8000)) << "only another node points to it";
  EXPECT_EQ(at(0x8000)->name(64, 4), "scores[..].balance");
}

TEST_F(ElementNames, WhatNobodyPointsToIsNoElement) {
  EXPECT_FALSE(at(0x9000));
  EXPECT_FALSE(at(0xb000));
}

TEST_F(ElementNames, AnObjectWithItsCountsIsNoElement) { EXPECT_FALSE(at(0xa000)); }

TEST(ReadableType, IsWhatPeopleHaveWritten) {
  EXPECT_EQ(readable_type("std::_Sp_counted_ptr_inplace<bank::Account, std::allocator<void>, 2>"), "bank::Account");
  EXPECT_EQ(readable_type("std::__future_base::_Task_state<int ()>"), "shared state");
  EXPECT_EQ(readable_type("std::thread::_State_impl<int>"), "");
  EXPECT_EQ(readable_type("bank::Account"), "bank::Account");
}

TEST(ContainerIn, IsWhatACallIsAbout) {
  EXPECT_EQ(container_in("the key of scores[\"ann\"]"), "scores");
  EXPECT_EQ(container_in("the links of scores"), "scores");
  EXPECT_EQ(container_in("log[2]"), "log");
  EXPECT_EQ(container_in("log"), "log");
}

}  // namespace
}  // namespace plait
