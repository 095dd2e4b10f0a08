#include "check/buffered_stores.h"

#include <gtest/gtest.h>

namespace plait {
namespace {

using Fate = BufferedStores::Fate;

/// A trace of threads 1 and 2: stores are executed silently, all else is a scheduling point.
struct Trace {
  size_t store(ThreadId thread, Order order = Order::Relaxed) {
    return add(thread, Op::Store, ++position, order, order == Order::SeqCst);
  }
  size_t load(ThreadId thread) { return add(thread, Op::Load, ++position, Order::Relaxed, true); }
  size_t flush(size_t store) {
    return add(buffer_of(events[store].thread), Op::Flush, events[store].position, events[store].order, true);
  }
  size_t add(ThreadId thread, Op op, u32 at, Order order, bool is_point) {
    Event e{};
    e.thread = thread;
    e.op = op;
    e.position = at;
    e.order = order;
    e.flags = is_point ? event_flag::kPoint : u8{0};
    events.push_back(e);
    return events.size() - 1;
  }
  BufferedStores fates(MemoryModel model = MemoryModel::Pso) const { return {events, machine::rules_of(model)}; }

  std::vector<Event> events;
  u32 position = 0;
};

TEST(BufferedStores, NothingWaitsUnderSc) {
  Trace t;
  size_t x = t.store(1);
  EXPECT_EQ(t.fates(MemoryModel::Sc).fate(x), Fate::NotBuffered);
}

TEST(BufferedStores, SeqCstStoresAreNotBuffered) {
  Trace t;
  size_t x = t.store(1, Order::SeqCst);
  EXPECT_EQ(t.fates().fate(x), Fate::NotBuffered);
}

TEST(BufferedStores, FlushesFindTheirStores) {
  Trace t;
  size_t x = t.store(1), y = t.store(1), flush_y = t.flush(y), flush_x = t.flush(x);
  BufferedStores fates = t.fates();
  EXPECT_EQ(fates.partner(x), flush_x);
  EXPECT_EQ(fates.partner(flush_y), y);
}

TEST(BufferedStores, AtOnceIfNobodyElseSteps) {
  Trace t;
  t.load(2);
  size_t x = t.store(1);
  t.load(1);
  size_t flush = t.flush(x);
  t.load(2);
  BufferedStores fates = t.fates();
  EXPECT_EQ(fates.fate(x), Fate::AtOnce);
  EXPECT_EQ(fates.fate(flush), Fate::AtOnce);
  EXPECT_EQ(fates.delayed(), 0u);
}

TEST(BufferedStores, LateIfItsThreadOnlyStores) {
  Trace t;
  size_t x = t.store(1), y = t.store(1);
  t.load(2);
  t.flush(x);
  t.load(2);
  t.flush(y);
  BufferedStores fates = t.fates();
  EXPECT_EQ(fates.fate(x), Fate::Late);
  EXPECT_EQ(fates.fate(y), Fate::Late);
}

TEST(BufferedStores, DelayedIfItsThreadGoesOnAndThenOthersStep) {
  Trace t;
  size_t x = t.store(1);
  t.load(1);
  t.load(2);
  size_t flush = t.flush(x);
  BufferedStores fates = t.fates();
  EXPECT_EQ(fates.fate(x), Fate::Delayed);
  EXPECT_EQ(fates.fate(flush), Fate::Delayed);
  EXPECT_EQ(fates.delayed(), 1u);
}

TEST(BufferedStores, DelayedIfAYoungerStoreOvertakesIt) {
  Trace t;
  size_t x = t.store(1), y = t.store(1);
  t.flush(y);
  t.load(2);
  BufferedStores fates = t.fates();  // x is never flushed
  EXPECT_EQ(fates.fate(x), Fate::Delayed);
  EXPECT_EQ(fates.partner(x), BufferedStores::kNone);
  EXPECT_EQ(fates.fate(y), Fate::AtOnce);
}

TEST(BufferedStores, ANeverFlushedStoreMattersOnlyIfOthersStep) {
  Trace t;
  size_t x = t.store(1);
  t.load(1);
  EXPECT_EQ(t.fates().fate(x), Fate::AtOnce);
  t.load(2);
  EXPECT_EQ(t.fates().fate(x), Fate::Delayed);
}

TEST(BufferedStores, StoresOfAThreadKeepTheirOrder) {
  Trace t;
  size_t x = t.store(1), y = t.store(1);
  t.load(2);
  t.flush(x);
  t.load(1);
  t.load(2);
  t.flush(y);
  // By itself x would be late, and shown behind y.
  EXPECT_EQ(t.fates().fate(y), Fate::Delayed);
  EXPECT_EQ(t.fates().fate(x), Fate::Delayed);
}

}  // namespace
}  // namespace plait
