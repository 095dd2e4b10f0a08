// Behaviour graphs: what becomes one node, what searches make of cycles, cones, saturated threads.
#include <gtest/gtest.h>

#include "explore/decider.h"
#include "knowledge/order.h"
#include "knowledge/values.h"
#include "trace.h"

namespace plait {
namespace {

using namespace testing_traces;

const std::atomic<bool> kGoOn{false};

NodeId after_begin(const Behaviour& knowledge, ThreadId thread) {
  for (NodeId id = 1; id < knowledge.size(); ++id)
    if (knowledge.node(id).thread == thread && knowledge.node(id).op == Op::Begin) return knowledge.child(id, 0);
  return kNoNode;
}

TEST(Graph, SameFingerprintSameNode) {
  Behaviour knowledge;
  // T1 reads x twice; whatever it read first, it is in the same state before the second read.
  ASSERT_EQ(Trace().load(1, kX, 0).in_state(8).load(1, kX, 0).in_state(16).store(2, kX, 1).end().teach(knowledge), "");
  ASSERT_EQ(Trace().store(2, kX, 1).load(1, kX, 1).in_state(8).load(1, kX, 1).in_state(16).end().teach(knowledge), "");
  const NodeId first = after_begin(knowledge, 1);
  EXPECT_EQ(knowledge.child(first, 0), knowledge.child(first, 1));
  EXPECT_NE(knowledge.child(first, 0), first);
  EXPECT_GT(knowledge.merged(), 0u);
}

TEST(Graph, DifferentFingerprintsStayApart) {
  Behaviour knowledge;
  ASSERT_EQ(Trace().load(1, kX, 0).in_state(8).load(1, kX, 0).in_state(16).store(2, kX, 1).end().teach(knowledge), "");
  ASSERT_EQ(Trace().store(2, kX, 1).load(1, kX, 1).in_state(8).load(1, kX, 1).in_state(24).end().teach(knowledge), "");
  const NodeId first = after_begin(knowledge, 1);
  EXPECT_NE(knowledge.child(first, 0), knowledge.child(first, 1));
}

TEST(Graph, NodesBehindEqualEdgesBecomeOneToo) {
  Behaviour knowledge;
  // No fingerprints at first: two branches, each followed by a load of y.
  ASSERT_EQ(Trace().load(1, kX, 0).load(1, kY, 0).load(1, kY, 0).store(2, kX, 1).end().teach(knowledge), "");
  ASSERT_EQ(Trace().store(2, kX, 1).load(1, kX, 1).load(1, kY, 0).load(1, kY, 0).end().teach(knowledge), "");
  const NodeId first = after_begin(knowledge, 1);
  const NodeId left = knowledge.child(first, 0), right = knowledge.child(first, 1);
  ASSERT_NE(left, right);
  // Then both turn out to be in one state.
  ASSERT_EQ(Trace().load(1, kX, 0).load(1, kY, 0).in_state(32).load(1, kY, 0).store(2, kX, 1).end().teach(knowledge),
            "");
  ASSERT_EQ(Trace().store(2, kX, 1).load(1, kX, 1).load(1, kY, 0).in_state(32).load(1, kY, 0).end().teach(knowledge),
            "");
  EXPECT_EQ(knowledge.canonical(left), knowledge.canonical(right));
  EXPECT_EQ(knowledge.child(knowledge.child(first, 0), 0), knowledge.child(knowledge.child(first, 1), 0));
}

TEST(Graph, ContradictionIsSeen) {
  Behaviour knowledge;
  ASSERT_EQ(Trace().load(1, kX, 0).in_state(8).load(1, kX, 0).in_state(16).store(2, kX, 1).end().teach(knowledge), "");
  EXPECT_NE(Trace().load(1, kX, 0).in_state(8).load(1, kY, 0).in_state(8).store(2, kX, 1).end().teach(knowledge), "");
}

/// T1 waits for x to become 1, T2 may make it so.
Behaviour waiting(bool helped) {
  Behaviour knowledge;
  Trace trace;
  trace.load(1, kX, 0).in_state(8).load(1, kX, 0).in_state(8);
  if (helped) trace.store(2, kX, 1);
  if (!helped) trace.store(2, kY, 1);
  if (helped) trace.load(1, kX, 1).in_state(8);
  if (helped) {
    trace.end();
    EXPECT_EQ(trace.teach(knowledge), "");
  } else {
    EXPECT_EQ(trace.teach_cut(knowledge, 2), "");
  }
  return knowledge;
}

TEST(Graph, WaitingIsACycleAndTheSearchEnds) {
  Behaviour knowledge = waiting(true);
  EXPECT_TRUE(NodeOrder(knowledge).has_cycles);
  Decider decider(knowledge, {.progress = true});
  ASSERT_TRUE(decider.search(kGoOn));
  EXPECT_TRUE(decider.leads().empty());
  EXPECT_TRUE(decider.endless().empty());
}

TEST(Graph, AWaitThatNobodyEndsIsALivelock) {
  Behaviour knowledge = waiting(false);
  Decider decider(knowledge, {.progress = true});
  ASSERT_TRUE(decider.search(kGoOn));
  const std::vector<Lead> endless = decider.endless();
  ASSERT_FALSE(endless.empty());
  StepResult last;
  EXPECT_EQ(decider.path(endless[0], last).claim.kind, Claim::Endless);
}

TEST(Values, SaturatedWhenEveryPossibleValueIsKnown) {
  Behaviour knowledge;
  ASSERT_EQ(store_buffering().teach(knowledge), "");
  EXPECT_EQ(saturated_threads(knowledge, Layout(knowledge)) & 6, 0u);
  ASSERT_EQ(Trace().store(2, kY, 1).load(2, kX, 0).store(1, kX, 1).load(1, kY, 1).end().teach(knowledge), "");
  EXPECT_EQ(saturated_threads(knowledge, Layout(knowledge)) & 6, 6u);
}

TEST(Cone, LeavesOutWhoeverDoesNotMatter) {
  Behaviour knowledge;
  // T1 reads x; T2 writes x, then reads y, which matters to nobody.
  ASSERT_EQ(Trace().load(1, kX, 0).store(2, kX, 1).load(2, kY, 0).end().teach(knowledge), "");
  const Layout layout(knowledge);
  const Futures futures(knowledge, layout, false);
  const Cone cone(knowledge, futures, bit(1));
  const NodeId store = after_begin(knowledge, 2);
  EXPECT_TRUE(cone.contains(knowledge, futures, store));
  EXPECT_FALSE(cone.contains(knowledge, futures, knowledge.child(store, 0)));
  EXPECT_FALSE(cone.covers(knowledge, futures, 2));
  EXPECT_TRUE(Cone().covers(knowledge, futures, 2));
  // The search inside the cone still finds what T1 can read.
  auto horizon = std::make_shared<Horizon>(knowledge, false);
  Decider decider(knowledge, horizon, cone, {});
  ASSERT_TRUE(decider.search(kGoOn));
  ASSERT_EQ(decider.leads().size(), 1u);
  EXPECT_EQ(decider.leads()[0].thread, 1);
}

TEST(Search, GoesOnWhereItMetTheUnknown) {
  Behaviour knowledge;
  ASSERT_EQ(store_buffering().teach(knowledge), "");
  auto horizon = std::make_shared<Horizon>(knowledge, false);
  Decider decider(knowledge, horizon, Cone(), {.merge = false});
  ASSERT_TRUE(decider.search(kGoOn));
  ASSERT_EQ(decider.leads().size(), 2u);
  ASSERT_EQ(Trace().store(2, kY, 1).load(2, kX, 0).store(1, kX, 1).load(1, kY, 1).end().teach(knowledge), "");
  ASSERT_NE(horizon->refresh(), Horizon::Change::Outgrown);
  decider.resume();
  ASSERT_TRUE(decider.search(kGoOn));
  EXPECT_TRUE(decider.leads().empty());
  Decider fresh(knowledge, {.merge = false});
  ASSERT_TRUE(fresh.search(kGoOn));
  EXPECT_GE(decider.states(), fresh.states());  // those where it met the unknown stay
}

}  // namespace
}  // namespace plait
