// Runs that recorded everything are kept as they were, up to a number, and by any thread.
#include "explore/album.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace plait {
namespace {

/// A run in memory that changes afterwards, as that of a worker does.
struct Borrowed {
  Reply reply{};
  std::vector<Event> events = std::vector<Event>(2);
  std::string output = "out";
  std::vector<Failure> more = std::vector<Failure>(1);
  RunView view() { return {&reply, events, output, more}; }
};

TEST(Album, KeepsCopies) {
  Album album;
  Borrowed run;
  run.reply.points = 7;
  run.events[1].location = 0x1234;
  run.more[0].site = 5;
  album.add(run.view());
  run.reply.points = 0;
  run.events[1].location = 0;
  run.more[0].site = 0;
  std::memset(run.output.data(), 'x', run.output.size());
  const auto pictures = album.pictures();
  ASSERT_EQ(pictures.size(), 1u);
  const RunView kept = pictures[0]->view();
  EXPECT_EQ(kept.reply->points, 7u);
  ASSERT_EQ(kept.events.size(), 2u);
  EXPECT_EQ(kept.events[1].location, 0x1234u);
  EXPECT_EQ(kept.output, "out");
  ASSERT_EQ(kept.more_failures.size(), 1u);
  EXPECT_EQ(kept.more_failures[0].site, 5u);
}

TEST(Album, IsFullAtSomeTime) {
  Album album;
  Borrowed run;
  u32 added = 0;
  for (; album.wants_more(); ++added) album.add(run.view());
  EXPECT_EQ(added, 64u);
  album.add(run.view());
  EXPECT_EQ(album.pictures().size(), added);
}

TEST(Album, TakesNoMoreWhenItIsClosed) {
  Album album;
  Borrowed run;
  album.add(run.view());
  album.close();
  EXPECT_FALSE(album.wants_more());
  album.add(run.view());
  EXPECT_EQ(album.pictures().size(), 1u);  // what it has stays
}

TEST(Album, PicturesOutliveItAndThreadsShareIt) {
  std::vector<std::shared_ptr<const Album::Picture>> pictures;
  {
    Album album;
    std::vector<std::thread> threads;
    for (u32 t = 0; t < 4; ++t)
      threads.emplace_back([&album, t] {
        Borrowed run;
        run.reply.points = t;
        for (u32 i = 0; i < 10; ++i) album.add(run.view());
      });
    for (std::thread& thread : threads) thread.join();
    pictures = album.pictures();
  }
  ASSERT_EQ(pictures.size(), 40u);
  u64 sum = 0;
  for (const auto& picture : pictures) sum += picture->reply.points;
  EXPECT_EQ(sum, 10u * (0 + 1 + 2 + 3));
}

}  // namespace
}  // namespace plait
