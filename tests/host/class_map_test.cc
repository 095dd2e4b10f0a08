// Who has touched which byte, put together from what several sessions know.
#include "host/class_map.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "host/session_memory.h"

namespace plait {
namespace {

using Accesses = std::set<std::pair<ThreadId, bool>>;  // thread, writes

/// By the words of the definition.
u8 class_of(const Accesses& accesses) {
  std::set<ThreadId> threads;
  bool writes = false;
  for (const auto& [thread, write] : accesses) threads.insert(thread), writes |= write;
  if (threads.empty()) return kUntouched;
  if (threads.size() > 1) return writes ? kSharedClass : kReadByMany;
  return writes ? write_code(*threads.begin()) : read_code(*threads.begin());
}

TEST(ByteClass, OfAllAccessesIsThatOfItsParts) {
  const std::pair<ThreadId, bool> kAll[] = {{0, false}, {0, true}, {1, false}, {1, true}, {63, false}, {63, true}};
  const auto subset = [&](unsigned bits) {
    Accesses accesses;
    for (unsigned i = 0; i < std::size(kAll); ++i)
      if (bits >> i & 1) accesses.insert(kAll[i]);
    return accesses;
  };
  for (unsigned a = 0; a < 1 << std::size(kAll); ++a)
    for (unsigned b = 0; b < 1 << std::size(kAll); ++b)
      EXPECT_EQ(joined(class_of(subset(a)), class_of(subset(b))), class_of(subset(a | b))) << a << " " << b;
}

std::vector<std::pair<u64, u32>> add(ClassMap& map, const std::vector<Touched>& pieces) {
  std::vector<std::pair<u64, u32>> shared;
  map.add(pieces, [&](u64 begin, u32 size) { shared.emplace_back(begin, size); });
  return shared;
}

TEST(ClassMap, TellsWhatWasTouched) {
  ClassMap map;
  EXPECT_TRUE(map.touched().empty());
  const std::vector<u8> codes{write_code(1), write_code(1), read_code(2), kUntouched, kReadByMany};
  ASSERT_EQ(pwrite(map.descriptor(), codes.data(), codes.size(), 0x5555'5555'4ffe), 5);  // over a page's end
  const std::vector<Touched> expected{
      {0x5555'5555'4ffe, 2, write_code(1)}, {0x5555'5555'5000, 1, read_code(2)}, {0x5555'5555'5002, 1, kReadByMany}};
  EXPECT_EQ(map.touched(), expected);
}

TEST(ClassMap, WhatTwoThreadsTouchIsSharedThoughNoSessionHasSeenBoth) {
  ClassMap map;
  const u64 at = 0x6001'0000'0ffc;
  EXPECT_TRUE(add(map, {{at, 8, write_code(1)}}).empty());
  EXPECT_TRUE(add(map, {{at, 8, write_code(1)}}).empty());
  EXPECT_TRUE(add(map, {{at, 8, read_code(1)}}).empty());
  EXPECT_EQ(add(map, {{at - 4, 8, read_code(2)}}), (std::vector<std::pair<u64, u32>>{{at, 4}}));
  EXPECT_TRUE(add(map, {{at, 4, write_code(2)}}).empty());  // that was known
  const std::vector<Touched> expected{{at - 4, 4, read_code(2)}, {at, 4, kSharedClass}, {at + 4, 4, write_code(1)}};
  EXPECT_EQ(map.touched(), expected);
}

TEST(ClassMap, LeavesOutWhatIsDamaged) {
  ClassMap map;
  EXPECT_TRUE(add(map, {{~u64{0}, 2, 1}, {u64{1} << 47, 1, 1}, {(u64{1} << 47) - 1, 2, 1}, {0x1000, 4, 300}}).empty());
  EXPECT_TRUE(map.touched().empty());
}

TEST(Session, GrowsByWhatOthersTouched) {
  SessionMemory here{SessionOptions{}};
  here.add({Touched{0x10000, 4, write_code(1)}});
  EXPECT_EQ(here.extent(), 0u);
  here.add({Touched{0x10000, 4, read_code(2)}});
  EXPECT_EQ(here.extent(), 1u);
  EXPECT_EQ(here.visibility().shared, (std::vector<Visibility::Range>{{0x10000, 4}}));
}

TEST(Session, KnowsWhatItIsToldInAnyOrderAndInAnyPieces) {
  SessionMemory here{SessionOptions{}};
  Visibility news;
  news.shared = {{0x20000, 8}, {0x10000, 4}, {0x10008, 1}};
  here.add(news, kMaxThreads);
  EXPECT_EQ(here.extent(), 3u);
  here.add(news, kMaxThreads);
  news.shared = {{0x20004, 4}, {0x10002, 2}, {0x20000, 8}};
  here.add(news, kMaxThreads);
  EXPECT_EQ(here.extent(), 3u);
}

}  // namespace
}  // namespace plait
