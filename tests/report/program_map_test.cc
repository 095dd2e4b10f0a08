#include "report/program_map.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace plait {
namespace {

const std::string kTables =
    "S\t0\t-1\t14\t3\tbank.cc\t_Z7depositi\tbalance\n"
    "S\t40\t0\t749\t5\t/usr/include/c++/12/bits/gthr.h\t_ZNSt5mutex4lockEv\t\n"
    "S\t80\t-1\t7\t1\t/usr/include/c++/12/thread\tf\t\n"
    "S\t120\t-1\t1\t1\tdir\\twith\\\\odd\\nname.c\tf\t\n"
    "G\t4010\t4\t3\tbank.cc\tbalance\n"
    "G\t0x5000\t100\t3\tbank.cc\ttable\n"
    "T\theap\t1\t600000\t700000\n"
    "T\tstack\t0\t800000\t900000\n"
    "E\t8\n";

TEST(ProgramMap, FindsTheUsersFrame) {
  ProgramMap map = ProgramMap::parse(kTables);
  EXPECT_EQ(map.place(0).line, 14u);
  EXPECT_EQ(map.place(0).function, "deposit(int)");
  EXPECT_EQ(map.place(0).text, "balance");
  EXPECT_EQ(map.frames(40).size(), 2u);
  EXPECT_EQ(map.frames(40)[0].function, "std::mutex::lock()");
  EXPECT_EQ(short_place(map.place(40)), "bank.cc:14");
  EXPECT_EQ(short_place(map.place(80)), "thread:7");  // nothing better is known
  EXPECT_FALSE(map.place(kNoSite).known());
  EXPECT_FALSE(map.place(160).known());
  EXPECT_EQ(map.place(120).file, "dir\twith\\odd\nname.c");
}

TEST(ProgramMap, NamesAddresses) {
  ProgramMap map = ProgramMap::parse(kTables);
  EXPECT_EQ(map.name(0x4010), "balance");
  EXPECT_EQ(map.name(0x5000 + 12), "table+12");
  EXPECT_EQ(map.name(0x5000 + 100), "0x5064");
  EXPECT_EQ(map.name(0x600040), "heap of T1 +0x40");
  EXPECT_EQ(map.name(0x800008), "stack of main +0x8");
  EXPECT_EQ(map.name(0x1), "0x1");
}

TEST(ProgramMap, NamesLibraries) {
  ProgramMap map = ProgramMap::parse(
      "S\t0\t-1\t1\t1\ta.cc\tmain\t\x01_ZN4sigc4emitEv libsigc-3.0.so.0\n"
      "S\t40\t-1\t2\t1\ta.cc\tmain\t\x01"
      "crc32\n"
      "S\t80\t-1\t3\t1\ta.cc\tmain\t\x01\n"
      "S\t120\t-1\t4\t1\ta.cc\tmain\t\x01getopt libc.so.6\n"
      "S\t160\t-1\t5\t1\ta.cc\tmain\tbalance\n"
      "E\t5\n");
  EXPECT_EQ(map.library_call(0)->function, "sigc::emit()");
  EXPECT_EQ(map.library_call(0)->library, "libsigc-3.0.so.0");
  EXPECT_FALSE(map.library_call(0)->is_system());
  EXPECT_EQ(map.library_call(40)->function, "crc32");
  EXPECT_EQ(map.library_call(40)->library, "");
  EXPECT_EQ(map.library_call(80)->function, "a call through a pointer");
  EXPECT_TRUE(map.library_call(120)->is_system());
  EXPECT_FALSE(map.library_call(160));
}

TEST(ProgramMap, RefusesDamage) {
  EXPECT_THROW(ProgramMap::parse(""), Error);
  EXPECT_THROW(ProgramMap::parse(kTables.substr(0, kTables.size() - 4)), Error);
  EXPECT_THROW(ProgramMap::parse(kTables.substr(kTables.find("G\t"))), Error);
  EXPECT_THROW(ProgramMap::parse("S\tx\t-1\t1\t1\tf\tg\t\nE\t1\n"), Error);
  EXPECT_THROW(ProgramMap::parse("Z\nE\t1\n"), Error);
}

TEST(ProgramMap, ReadableFunctions) {
  EXPECT_EQ(readable_function("main"), "main");
  EXPECT_EQ(readable_function("m"), "m");  // not "unsigned long"
  EXPECT_EQ(readable_function("_Z1fNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"), "f(std::string)");
  EXPECT_LT(readable_function(
                "_ZNSt8__detail9_Map_baseISsSt4pairIKSsSsESaIS3_ENS_10_Select1stESt8equal_toISsESt4hashISsENS_18_Mod_"
                "range_hashingENS_20_Default_ranged_hashENS_20_Prime_rehash_policyENS_17_Hashtable_traitsILb1ELb0E"
                "Lb1EEELb1EEixERS2_")
                .size(),
            80u);
}

}  // namespace
}  // namespace plait
