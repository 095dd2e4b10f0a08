// What TSO and PSO allow: litmus tests, each asked of one trace that does not show the answer, and random queries
// against a search that has store buffers in place of constraints.
#include <gtest/gtest.h>

#include "../fewer.h"
#include "litmus.h"
#include "random_trace.h"
#include "reference.h"
#include "solve/simulation.h"

namespace plait::solve {
namespace {

constexpr u64 kX = Litmus::kX, kY = Litmus::kY;
constexpr MemoryModel kTso = MemoryModel::Tso, kPso = MemoryModel::Pso;

/// Can step `read` return `result` while all other reads keep what they returned? Both solvers say the same.
bool can_be(const Litmus& litmus, MemoryModel memory_model, u32 read, u64 result) {
  const CausalModel model(litmus.events(), machine::rules_of(memory_model));
  std::vector<u32> required(model.threads(), 0);
  for (u32 t = 0; t < model.threads(); ++t)
    for (u32 k = 0; k < model.length(t); ++k)
      if (model.step(t, k).is_read) required[t] = k + 1;
  const Query query = changed_read(model, read, result, required);
  const Answer own = make_order_solver()->solve(model, query), z3 = make_z3_solver()->solve(model, query);
  EXPECT_EQ(own.verdict, z3.verdict);
  return own.verdict == Answer::Verdict::Sat;
}

/// SB: x = 1; r = y || y = 1; s = x. In the trace the first thread is done before the second begins.
TEST(MemoryModels, StoresAreDelayedBehindLoads) {
  for (const MemoryModel memory_model : {kTso, kPso}) {
    Litmus sb;
    sb.flush(sb.store(1, kX, 1));
    sb.load(1, kY, 0);
    sb.flush(sb.store(2, kY, 1));
    EXPECT_TRUE(can_be(sb, memory_model, sb.load(2, kX, 1), 0));
  }
}

TEST(MemoryModels, FencesAndSeqCstStoresKeepTheOrder) {
  for (const MemoryModel memory_model : {kTso, kPso}) {
    Litmus fenced;
    fenced.flush(fenced.store(1, kX, 1));
    fenced.fence(1);
    fenced.load(1, kY, 0);
    fenced.flush(fenced.store(2, kY, 1));
    fenced.fence(2);
    EXPECT_FALSE(can_be(fenced, memory_model, fenced.load(2, kX, 1), 0));
    Litmus strong;
    strong.store(1, kX, 1, Order::SeqCst);
    strong.load(1, kY, 0);
    strong.store(2, kY, 1, Order::SeqCst);
    EXPECT_FALSE(can_be(strong, memory_model, strong.load(2, kX, 1), 0));
    Litmus released;  // a release fence keeps stores in order, not loads
    released.flush(released.store(1, kX, 1));
    released.fence(1, Order::Release);
    released.load(1, kY, 0);
    released.flush(released.store(2, kY, 1));
    released.fence(2, Order::Release);
    EXPECT_TRUE(can_be(released, memory_model, released.load(2, kX, 1), 0));
  }
}

/// SB with a read of the own store in between: 004's Phi_addr would forbid it.
TEST(MemoryModels, LoadsTakeTheirOwnStoresFromTheBuffer) {
  for (const MemoryModel memory_model : {kTso, kPso}) {
    Litmus sb;
    sb.flush(sb.store(1, kX, 1));
    sb.load(1, kX, 1);
    sb.load(1, kY, 0);
    sb.flush(sb.store(2, kY, 1));
    sb.load(2, kY, 1);
    EXPECT_TRUE(can_be(sb, memory_model, sb.load(2, kX, 1), 0));
  }
}

/// A thread never reads behind its own newest store, and reads a foreign one only when its own has left the buffer.
TEST(MemoryModels, OwnStoresHideOlderValues) {
  for (const MemoryModel memory_model : {kTso, kPso}) {
    Litmus own;
    const u32 store = own.store(1, kX, 1);
    const u32 load = own.load(1, kX, 1);
    own.flush(store);
    EXPECT_FALSE(can_be(own, memory_model, load, 0));
    EXPECT_TRUE(CausalModel(own.events(), machine::rules_of(memory_model)).other_results(load).empty());
    Litmus foreign;  // x = 1; r = x; s = y || x = 2; y = 1
    const u32 first = foreign.store(1, kX, 1);
    const u32 read = foreign.load(1, kX, 1);
    foreign.flush(first);
    foreign.flush(foreign.store(2, kX, 2), 1);
    EXPECT_TRUE(can_be(foreign, memory_model, read, 2));
  }
}

/// MP: x = 1; y = 1 || r = y; s = x.
TEST(MemoryModels, StoresOvertakeStoresUnderPsoOnly) {
  auto message = [](Order order, bool fence) {
    Litmus mp;
    mp.flush(mp.store(1, kX, 1));
    if (fence) mp.fence(1, Order::Release);
    mp.flush(mp.store(1, kY, 1, order));
    mp.load(2, kY, 1);
    return std::pair{mp, mp.load(2, kX, 1)};
  };
  auto [relaxed, read] = message(Order::Relaxed, false);
  EXPECT_FALSE(can_be(relaxed, kTso, read, 0));
  EXPECT_TRUE(can_be(relaxed, kPso, read, 0));
  auto [released, read_released] = message(Order::Release, false);
  EXPECT_FALSE(can_be(released, kPso, read_released, 0));
  auto [fenced, read_fenced] = message(Order::Relaxed, true);
  EXPECT_FALSE(can_be(fenced, kPso, read_fenced, 0));
}

/// A barrier orders what is before it before what is behind it; what follows a release store may overtake that store.
TEST(MemoryModels, ReleaseStoresAreNoBarriersForWhatFollows) {
  Litmus mp;
  mp.flush(mp.store(1, kX, 1, Order::Release));
  mp.flush(mp.store(1, kY, 1));
  mp.load(2, kY, 1);
  EXPECT_TRUE(can_be(mp, kPso, mp.load(2, kX, 1), 0));
}

/// Stores of overlapping bytes stay in order under PSO, others of the same word do not.
TEST(MemoryModels, OverlappingStoresStayInOrder) {
  Litmus apart;  // x.low = 1; x.high = 1 || r = x.high; s = x.low
  apart.flush(apart.store(1, kX, 1, Order::Relaxed, 2));
  apart.flush(apart.store(1, kX + 2, 1, Order::Relaxed, 2));
  apart.load(2, kX + 2, 1, 2);
  EXPECT_TRUE(can_be(apart, kPso, apart.load(2, kX, 1, 2), 0));
  Litmus over;  // x = 1; x.high = 1 || r = x.high; s = x.low
  over.flush(over.store(1, kX, 1));
  over.flush(over.store(1, kX + 2, 1, Order::Relaxed, 2));
  over.load(2, kX + 2, 1, 2);
  EXPECT_FALSE(can_be(over, kPso, over.load(2, kX, 1, 2), 0));
}

/// What was still buffered at the end of the run could have been flushed.
TEST(MemoryModels, StoresThatWereLostCanBeFlushed) {
  for (const MemoryModel memory_model : {kTso, kPso}) {
    Litmus lost;
    lost.store(1, kX, 1);
    EXPECT_TRUE(can_be(lost, memory_model, lost.load(2, kX, 0), 1));
  }
}

/// SB, the first thread with so many stores that the first of them (to x) must leave the buffer before the last comes
/// in.
TEST(MemoryModels, FullBuffersHoldStoresUp) {
  auto can_pass = [](MemoryModel memory_model, u32 stores, u64 stride) {
    Litmus sb;
    const u32 first = sb.store(1, kX, 1);
    for (u32 i = 1; i + 1 < stores; ++i) sb.store(1, kX + i * stride, 1);
    sb.flush(first);
    sb.store(1, kX + (stores - 1) * stride, 1);
    sb.load(1, kY, 0);
    sb.store(2, kY, 1, Order::SeqCst);
    return can_be(sb, memory_model, sb.load(2, kX, 1), 0);
  };
  EXPECT_TRUE(can_pass(kTso, 32, 8));
  EXPECT_FALSE(can_pass(kTso, 33, 8));
  EXPECT_TRUE(can_pass(kPso, 33, 8));  // another one can leave first
  EXPECT_TRUE(can_pass(kPso, 32, 0));
  EXPECT_FALSE(can_pass(kPso, 33, 0));
}

/// Two stores that can both be flushed next race; one that stands behind another one in its buffer does not yet.
TEST(MemoryModels, RacesAreBetweenFlushes) {
  Litmus both;
  both.flush(both.store(1, kY, 1));
  const u32 behind = both.flush(both.store(1, kX, 1));
  both.load(2, kY, 1);
  const u32 other = both.flush(both.store(2, kX, 2), 1);
  for (const MemoryModel memory_model : {kTso, kPso}) {
    const CausalModel model(both.events(), machine::rules_of(memory_model));
    const Query query = adjacent(model, behind, other);
    for (auto& solver : {make_order_solver(), make_z3_solver()}) {
      Answer answer = solver->solve(model, query);
      ASSERT_EQ(answer.verdict, Answer::Verdict::Sat);
      shorten(model, query, answer);
      const bool flushes_y = std::any_of(answer.order.begin(), answer.order.end(), [&](const Answer::Move& move) {
        const machine::Operation& operation = model.steps()[move.step].operation;
        return operation.op == Op::Flush && operation.location == kY;
      });
      EXPECT_TRUE(flushes_y);
    }
  }
}

void expect_reference(MemoryModel memory_model, u64 seed) {
  std::mt19937_64 random(seed);
  auto own = make_order_solver();
  unsigned sat = 0, unsat = 0;
  for (unsigned n = 0; n < fewer(1000); ++n) {
    TraceShape shape{.threads = 1 + static_cast<unsigned>(random() % 2),
                     .steps = 2 + static_cast<unsigned>(random() % 4),
                     .variables = 1 + static_cast<unsigned>(random() % 2),
                     .sync = false,
                     .mixed_sizes = random() % 2 == 0,
                     .memory_model = memory_model};
    const CausalModel model(random_trace(random, shape), machine::rules_of(memory_model));
    Reference reference(model, memory_model);
    for (u32 i = 0; i < model.steps().size(); ++i) {
      if (!model.steps()[i].is_read) continue;
      for (const u128 result : model.other_results(i)) {
        std::vector<u32> required(model.threads(), 0);
        for (u32 t = 0; t < model.threads(); ++t) required[t] = static_cast<u32>(random() % (model.length(t) + 1));
        const Query query = changed_read(model, i, result, required);
        const bool expected = reference.is_satisfiable(query);
        ++(expected ? sat : unsat);
        ASSERT_EQ(own->solve(model, query).verdict == Answer::Verdict::Sat, expected) << "trace " << n << " read " << i;
      }
    }
  }
  EXPECT_GT(sat, fewer(500));
  EXPECT_GT(unsat, fewer(500));
}

TEST(MemoryModels, TsoIsTheReference) { expect_reference(kTso, 11); }
TEST(MemoryModels, PsoIsTheReference) { expect_reference(kPso, 12); }

}  // namespace
}  // namespace plait::solve
