#include "report/layout.h"

#include <gtest/gtest.h>

namespace plait {
namespace {

// struct { bool open; int tries[3]; union { long whole; int half; }; Base (nameless) { char* text; }; }
const std::string kLayout = "{0,1,open;4,12,tries[4];16,8,{0,8,whole;0,4,half;};24,8,{0,8,text*;};}";

std::string path(u64 offset, u64 size) { return part_at(kLayout, offset, size).path; }

TEST(Layout, PartsHaveNames) {
  EXPECT_EQ(path(0, 1), ".open");
  EXPECT_EQ(path(4, 4), ".tries[0]");
  EXPECT_EQ(path(12, 4), ".tries[2]");
  EXPECT_EQ(path(16, 8), ".whole");
  EXPECT_EQ(path(16, 4), ".half");
  EXPECT_EQ(path(24, 8), ".text");
}

TEST(Layout, PointersAreKnown) {
  EXPECT_TRUE(part_at(kLayout, 24, 8).pointer);
  EXPECT_FALSE(part_at(kLayout, 16, 8).pointer);
  EXPECT_TRUE(part_at("*", 0, 8).pointer);
}

TEST(Layout, WhatHasNoNameIsCounted) {
  EXPECT_EQ(path(2, 1), "");
  EXPECT_EQ(part_at(kLayout, 2, 1).rest, 2u);
  EXPECT_EQ(part_at("", 12, 4).rest, 12u);
  EXPECT_EQ(path(4, 12), ".tries");
}

TEST(Layout, NestedArrays) { EXPECT_EQ(part_at("[12[4]]", 20, 4).path, "[1][2]"); }

TEST(Layout, DamagedTextsDoNoHarm) {
  for (size_t length = 0; length < kLayout.size(); ++length)
    for (u64 offset = 0; offset < 40; ++offset) part_at(kLayout.substr(0, length), offset, 4);
  for (const char* text : {"[", "[0", "{,,,", "{1,2", "}}}]]", "{0,8,a{0,8,a{0,8,a", "[99999999999999999999999"})
    part_at(text, 3, 8);
}

}  // namespace
}  // namespace plait
