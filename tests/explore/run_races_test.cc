// Races of single runs: which pairs of accesses does nothing order?
#include "explore/run_races.h"

#include <gtest/gtest.h>

#include "machine/memory_model.h"

namespace plait {
namespace {

constexpr u64 kData = 0x1000, kFlag = 0x2000, kMutex = 0x3000;

/// A run, event by event; main is thread 0 and has forked 1 and 2. An event's site is its number.
class Trace {
 public:
  Trace() {
    add(0, Op::Fork, 1);
    add(0, Op::Fork, 2);
  }
  Trace& add(ThreadId thread, Op op, u64 location, Order order = Order::Plain, u64 value = 0) {
    Event event{};
    event.thread = thread;
    event.op = op;
    event.location = location;
    event.size = op <= Op::Cas ? 4 : 0;
    event.order = order;
    event.value = value;
    event.site = static_cast<u32>(events_.size());
    event.position = ++positions_[thread];
    event.flags = event_flag::kPoint;
    events_.push_back(event);
    return *this;
  }
  Trace& load(ThreadId thread, u64 from, Order order = Order::Plain) { return add(thread, Op::Load, from, order); }
  Trace& store(ThreadId thread, u64 to, Order order = Order::Plain) { return add(thread, Op::Store, to, order); }
  Trace& flush(ThreadId thread, const Event& store) {
    Event event = store;
    event.op = Op::Flush;
    event.thread = buffer_of(thread);
    events_.push_back(event);
    return *this;
  }
  const Event& last() const { return events_.back(); }
  /// For each race: the second access's thread, the first one's, how many accesses are passed over.
  std::vector<std::array<u32, 3>> races(MemoryModel model = MemoryModel::Sc) const {
    RunRaces all;
    all.look_at(machine::rules_of(model), events_);
    std::vector<std::array<u32, 3>> found;
    for (const Schedule& steps : all.take()) {
      EXPECT_EQ(steps.claim.kind, Claim::RaceWithEarlier);
      found.push_back({steps.claim.thread, steps.claim.other, steps.claim.later});
    }
    EXPECT_TRUE(all.take().empty()) << "each pair is told once";
    return found;
  }

 private:
  std::vector<Event> events_;
  u32 positions_[kMaxThreads] = {};
};

using Found = std::vector<std::array<u32, 3>>;

TEST(RunRaces, PlainAccessesThatNothingOrders) {
  EXPECT_EQ(Trace().store(1, kData).load(2, kData).races(), (Found{{2, 1, 0}}));
  EXPECT_EQ(Trace().load(1, kData).load(2, kData).races(), Found{});
  EXPECT_EQ(Trace().store(1, kData).load(2, kData + 4).races(), Found{});
  EXPECT_EQ(Trace().store(1, kData).load(2, kData + 3).races(), (Found{{2, 1, 0}}));
  EXPECT_EQ(Trace().store(1, kData, Order::SeqCst).load(2, kData, Order::SeqCst).races(), Found{});
  EXPECT_EQ(Trace().store(1, kData, Order::SeqCst).load(2, kData).races(), (Found{{2, 1, 0}}));
}

TEST(RunRaces, ForksAndJoinsOrder) {
  Trace forked;
  EXPECT_EQ(forked.store(1, kData).add(0, Op::Join, 1).store(0, kData).races(), Found{});
  EXPECT_EQ(Trace().store(0, kData).load(1, kData).races(), (Found{{1, 0, 0}}));
}

TEST(RunRaces, LocksOrder) {
  const auto locked = [](u64 other) {
    return Trace()
        .add(1, Op::Lock, kMutex)
        .store(1, kData)
        .add(1, Op::Unlock, kMutex)
        .add(2, Op::Lock, other)
        .store(2, kData)
        .races();
  };
  EXPECT_EQ(locked(kMutex), Found{});
  EXPECT_EQ(locked(kMutex + 64), (Found{{2, 1, 0}}));
}

TEST(RunRaces, FlagsOrderByReleaseAndAcquire) {
  const auto message = [](Order store, Order load) {
    return Trace().store(1, kData).store(1, kFlag, store).load(2, kFlag, load).load(2, kData).races();
  };
  EXPECT_EQ(message(Order::Release, Order::Acquire), Found{});
  EXPECT_EQ(message(Order::Relaxed, Order::Acquire), (Found{{2, 1, 0}}));
  EXPECT_EQ(message(Order::Release, Order::Relaxed), (Found{{2, 1, 0}}));
}

TEST(RunRaces, FencesOrderRelaxedFlags) {
  Trace trace;
  trace.store(1, kData).add(1, Op::Fence, 0, Order::Release).store(1, kFlag, Order::Relaxed);
  trace.load(2, kFlag, Order::Relaxed).add(2, Op::Fence, 0, Order::Acquire).load(2, kData);
  EXPECT_EQ(trace.races(), Found{});
}

TEST(RunRaces, UpdatesGoOnWithAReleaseSequence) {
  const auto through = [](Op by_main) {
    Trace trace;
    trace.store(1, kData).store(1, kFlag, Order::Release).add(0, by_main, kFlag, Order::Relaxed);
    return trace.load(2, kFlag, Order::Acquire).load(2, kData).races();
  };
  EXPECT_EQ(through(Op::Rmw), Found{});
  EXPECT_EQ(through(Op::Store), (Found{{2, 1, 0}}));
}

TEST(RunRaces, PassesOverLaterAccessesOfOtherSites) {
  EXPECT_EQ(Trace().store(1, kData).store(1, kData).load(2, kData).races(), (Found{{2, 1, 1}, {2, 1, 0}}));
}

TEST(RunRaces, WaitingStoresAreLookedAtWhenTheyLeave) {
  Trace trace;
  trace.store(1, kData).flush(1, trace.last()).store(2, kData).flush(2, trace.last());
  EXPECT_EQ(trace.races(MemoryModel::Tso), (Found{{buffer_of(2), 1, 0}}));
}

TEST(RunRaces, OwnStoresThatWaitHandNothingOn) {
  // T2 reads its own flag, not T1's, which orders nothing.
  Trace trace;
  trace.store(1, kData).store(1, kFlag, Order::Release);
  const Event data = trace.last();
  trace.flush(1, data).store(2, kFlag, Order::Relaxed).load(2, kFlag, Order::Acquire).load(2, kData);
  EXPECT_EQ(trace.races(MemoryModel::Tso), (Found{{2, 1, 0}}));
}

}  // namespace
}  // namespace plait
