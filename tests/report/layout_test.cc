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

// struct { int size; std::vector<struct { int x, y; }> points; std::map<..> names; }
const std::string kContainers = "{0,4,size;8,24,points<8{0,4,x;4,4,y;}>;32,48,names();}";

TEST(Layout, ContainersAreFound) {
  const std::optional<ContainerPart> points = container_at(kContainers, 16);
  ASSERT_TRUE(points);
  EXPECT_TRUE(points->contiguous);
  EXPECT_EQ(points->offset, 8u);
  EXPECT_EQ(points->stride, 8u);
  EXPECT_EQ(points->element, "{0,4,x;4,4,y;}");
  const std::optional<ContainerPart> third = container_at("[80" + kContainers + "]", 2 * 80 + 40);
  ASSERT_TRUE(third);
  EXPECT_FALSE(third->contiguous);
  EXPECT_EQ(third->offset, 2u * 80 + 32);
  EXPECT_FALSE(container_at(kContainers, 0));
}

TEST(Layout, TheInsideOfAContainerHasItsName) {
  EXPECT_EQ(part_at(kContainers, 16, 8).path, ".points");
  EXPECT_EQ(part_at(kContainers, 16, 8).rest, 0u);
  EXPECT_EQ(part_at(kContainers, 40, 8).path, ".names");
}

TEST(Layout, MembersAreFoundByName) {
  const std::optional<Slot> text = find_member(kLayout, "text");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->offset, 24u);
  EXPECT_EQ(text->size, 8u);
  EXPECT_EQ(text->type, "*");
  EXPECT_FALSE(find_member(kLayout, "other"));
}

TEST(Layout, DamagedTextsDoNoHarm) {
  for (size_t length = 0; length < kContainers.size(); ++length)
    for (u64 offset = 0; offset < 80; ++offset) {
      container_at(kContainers.substr(0, length), offset);
      find_member(kContainers.substr(0, length), "names");
    }
  for (size_t length = 0; length < kLayout.size(); ++length)
    for (u64 offset = 0; offset < 40; ++offset) part_at(kLayout.substr(0, length), offset, 4);
  for (const char* text : {"[", "[0", "{,,,", "{1,2", "}}}]]", "{0,8,a{0,8,a{0,8,a", "[99999999999999999999999"})
    part_at(text, 3, 8);
}

}  // namespace
}  // namespace plait
