// The product of behaviour graphs against an enumeration of tiny programs: the same states, the same outcomes, the same
// unknown steps, under every memory model.
#include "explore/product.h"

#include <gtest/gtest.h>

#include "../fewer.h"
#include "tiny_program.h"

namespace plait {
namespace {

using Texts = std::vector<std::string>;

void teach(Behaviour& knowledge, const std::vector<Event>& trace) {
  ASSERT_EQ(knowledge.learn(trace, "", {}, false, [](u64, u64) { return true; }), "");
}

/// What the thread has received on its way to a node. (Without fingerprints a graph is a tree.)
std::vector<u64> history(const Behaviour& knowledge, NodeId id) {
  std::vector<u64> received;
  for (; knowledge.node(id).parent != kNoNode; id = knowledge.node(id).parent)
    if (machine::is_read(knowledge.node(knowledge.node(id).parent).op)) received.push_back(knowledge.node(id).edge);
  return {received.rbegin(), received.rend()};
}

/// Everything that the product reaches.
struct Walk {
  std::set<std::vector<u8>> states, stuck;
  std::set<TinyHistories> outcomes;
  std::set<std::pair<u32, std::vector<u64>>> unknown;  // thread, what it would have received
  std::set<StepKind> kinds;

  Walk(Behaviour& knowledge, const Futures* futures = nullptr) {
    const Layout layout(knowledge);
    Product product(knowledge, layout, futures, nullptr);
    std::vector<u8> first;
    StepResult result;
    EXPECT_TRUE(product.initial(first, result));
    std::vector<std::vector<u8>> open{first};
    while (!open.empty()) {
      const std::vector<u8> state = std::move(open.back());
      open.pop_back();
      if (!states.insert(state).second) continue;
      look(knowledge, product, state);
      for (ThreadSet left = product.enabled(state.data()); left; left &= left - 1) {
        const ThreadId actor = lowest(left);
        u64 args = actor < kFirstBuffer ? 1 : product.flushable(state.data(), owner_of(actor));
        for (; args; args &= args - 1) step(knowledge, product, state, actor, lowest(args), open);
      }
    }
  }

 private:
  void look(const Behaviour& knowledge, const Product& product, const std::vector<u8>& state) {
    if (product.live(state.data()) == 0) {
      TinyHistories received;
      for (ThreadId t = 1; t < product.layout().threads(); ++t)
        received.push_back(history(knowledge, product.cursor(state.data(), t)));
      outcomes.insert(received);
    } else if (product.enabled(state.data()) == 0) {
      stuck.insert(state);
    }
  }
  void step(const Behaviour& knowledge, Product& product, std::vector<u8> state, ThreadId actor, u16 arg,
            std::vector<std::vector<u8>>& open) {
    const StepResult result = product.step(state.data(), actor, arg);
    kinds.insert(result.kind);
    if (result.kind == StepKind::Moved) open.push_back(std::move(state));
    if (result.kind != StepKind::Unknown) return;
    std::vector<u64> received = history(knowledge, result.missing);
    received.push_back(result.missing_value);
    unknown.insert({knowledge.node(result.missing).thread - 1u, received});
  }
};

const Texts kPrograms[] = {
    {"x=1 y", "y=1 x"},                              // store buffering
    {"x=1 y=1", "y x"},                              // message passing
    {"x=1 x=2 y=1", "y x x"},                        // two stores to one variable
    {"x=1", "x=2", "x x"},                           //
    {"x+=1 x", "x+=2 x"},                            // read-modify-write operations drain
    {"x=1 x y", "y=1 y x"},                          // loads from the own buffer
    {"lock:M x=1 unlock:M", "lock:M x x unlock:M"},  //
    {"lock:M lock:N x=1 unlock:N unlock:M", "lock:N lock:M y=1 unlock:M unlock:N"},  // may deadlock
    {"x skip_unless:1,1 y=1 y", "x=1 y"},  // what a thread does depends on what it reads
};
constexpr MemoryModel kModels[] = {MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso};

void expect_same(const Walk& walk, const TinyProgram::Reached& reached) {
  EXPECT_EQ(walk.states.size(), reached.states.size());
  EXPECT_EQ(walk.stuck.size(), reached.stuck.size());
  EXPECT_EQ(walk.outcomes, reached.outcomes);
  EXPECT_TRUE(walk.unknown.empty());
}

TEST(Product, ReachesWhatTinyProgramsReach) {
  for (const MemoryModel model : kModels)
    for (const Texts& texts : kPrograms) {
      SCOPED_TRACE(texts[0] + " | " + texts[1] + " model " + std::to_string(static_cast<int>(model)));
      const TinyProgram program(texts, model);
      Behaviour knowledge(machine::rules_of(model));
      for (const auto& run : program.runs()) teach(knowledge, program.trace(run));
      expect_same(Walk(knowledge), program.reach());
    }
}

TEST(Product, ReachesWhatRandomProgramsReach) {
  std::mt19937_64 random(1);
  for (u32 n = 0; n < fewer(60); ++n) {
    const MemoryModel model = kModels[n % 3];
    const Texts texts = random_texts(random, 2, 3);
    SCOPED_TRACE(texts[0] + " | " + texts[1] + " model " + std::to_string(static_cast<int>(model)));
    const TinyProgram program(texts, model);
    Behaviour knowledge(machine::rules_of(model));
    for (const auto& run : program.runs()) teach(knowledge, program.trace(run));
    expect_same(Walk(knowledge), program.reach());
  }
}

/// Histories that a known one becomes by one more result, where all threads are known to get to.
std::set<std::pair<u32, std::vector<u64>>> unknown_steps(const TinyProgram& program,
                                                         const std::set<std::pair<u32, std::vector<u64>>>& known) {
  std::set<std::pair<u32, std::vector<u64>>> missing;
  std::set<TinyState> seen;
  std::vector<TinyState> open{program.initial()};
  while (!open.empty()) {
    const TinyState state = std::move(open.back());
    open.pop_back();
    if (!seen.insert(state).second) continue;
    for (const TinyMove& move : program.moves(state)) {
      TinyState next = program.after(state, move);
      const std::pair<u32, std::vector<u64>> one{move.thread, next.histories[move.thread]};
      if (one.second.empty() || known.contains(one))
        open.push_back(std::move(next));
      else
        missing.insert(one);
    }
  }
  return missing;
}

TEST(Product, NamesTheResultsThatNoRunHasShown) {
  std::mt19937_64 random(2);
  u32 met = 0;
  for (u32 n = 0; n < fewer(150); ++n) {
    const MemoryModel model = kModels[n % 3];
    const Texts texts = random_texts(random, 2 + n % 2, 3);
    SCOPED_TRACE(texts[0] + " | " + texts[1] + " model " + std::to_string(static_cast<int>(model)));
    const TinyProgram program(texts, model);
    Behaviour knowledge(machine::rules_of(model));
    std::set<std::pair<u32, std::vector<u64>>> known;
    for (u32 k = 0; k <= n % 4; ++k) {
      const std::vector<TinyMove> run = program.random_run(random);
      teach(knowledge, program.trace(run));
      TinyState state = program.initial();
      for (const TinyMove& move : run) {
        state = program.after(state, move);
        known.insert({move.thread, state.histories[move.thread]});
      }
    }
    const auto missing = unknown_steps(program, known);
    EXPECT_EQ(Walk(knowledge).unknown, missing);
    met += !missing.empty();
  }
  EXPECT_GT(met, fewer(50));
}

TEST(Product, RepresentativesOfEqualFuturesLoseNoResult) {
  // Both threads forget what they read first: fewer states, and still nothing unknown, nothing stuck.
  const TinyProgram program({"x y", "x=1 x=2 y=1"}, MemoryModel::Sc);
  Behaviour knowledge;
  for (const auto& run : program.runs()) teach(knowledge, program.trace(run));
  const Layout layout(knowledge);
  const Futures futures(knowledge, layout, false);
  const Walk merged(knowledge, &futures), all(knowledge);
  EXPECT_LT(merged.states.size(), all.states.size());
  EXPECT_TRUE(merged.unknown.empty());
  EXPECT_TRUE(merged.stuck.empty());
}

TEST(Product, WhoWaitsForWhom) {
  const TinyProgram program({"lock:M lock:N unlock:N unlock:M", "lock:N lock:M unlock:M unlock:N"}, MemoryModel::Sc);
  Behaviour knowledge;
  for (const auto& run : program.runs()) teach(knowledge, program.trace(run));
  const Layout layout(knowledge);
  Product product(knowledge, layout, nullptr, nullptr);
  std::vector<u8> state;
  StepResult result;
  ASSERT_TRUE(product.initial(state, result));
  EXPECT_EQ(product.enabled(state.data()), bit(1) | bit(2));
  EXPECT_EQ(product.cycle(state.data()), 0u);
  EXPECT_EQ(product.step(state.data(), 1, 0).kind, StepKind::Moved);
  EXPECT_EQ(product.cycle(state.data()), 0u);
  EXPECT_EQ(product.step(state.data(), 2, 0).kind, StepKind::Moved);
  EXPECT_EQ(product.enabled(state.data()), 0u);
  EXPECT_EQ(product.live(state.data()), bit(0) | bit(1) | bit(2));
  EXPECT_EQ(product.cycle(state.data()), bit(1) | bit(2));
}

TEST(Product, StoresHavePositionsInTheirBuffer) {
  const TinyProgram program({"x=1 y=2 x", "x"}, MemoryModel::Pso);
  Behaviour knowledge(machine::rules_of(MemoryModel::Pso));
  for (const auto& run : program.runs()) teach(knowledge, program.trace(run));
  const Layout layout(knowledge);
  Product product(knowledge, layout, nullptr, nullptr);
  u32 positions[3];
  product.track(positions);
  std::vector<u8> state;
  StepResult result;
  ASSERT_TRUE(product.initial(state, result));
  EXPECT_EQ(product.buffering(state.data()), bit(1));
  EXPECT_EQ(product.flushable(state.data(), 1), 3u);  // both, in any order
  EXPECT_EQ(positions[1], 4u);                        // begin, two stores, at the load
  EXPECT_EQ(product.position_of_store(1, 0), 2u);
  EXPECT_EQ(product.position_of_store(1, 1), 3u);
  EXPECT_EQ(product.step(state.data(), buffer_of(1), 0).kind, StepKind::Moved);
  EXPECT_EQ(product.position_of_store(1, 0), 3u);
  NodeId stores[4];
  ASSERT_EQ(product.stores(state.data(), 1, stores), 1u);
  EXPECT_EQ(knowledge.node(stores[0]).location, TinyProgram::address('y'));
  EXPECT_EQ(product.step(state.data(), 1, 0).value, 1u);
}

TEST(Product, FreedMemoryAndLocksOfOthers) {
  // T2 reads x before T1 frees it, and unlocks M, which it took; the product tries the other orders.
  const TinyProgram program({"lock:M y unlock:M", "x y"}, MemoryModel::Sc);
  std::vector<Event> trace = program.trace({{1}, {1}, {0}, {0}, {0}});
  for (Event& event : trace)
    if (event.op == Op::Load && event.thread == 1) {
      event.op = Op::Free;
      event.location = TinyProgram::address('x');
      event.size = 0;
      event.operand = 8;
    } else if (event.op == Op::Load && event.location == TinyProgram::address('y')) {
      event.op = Op::Unlock;  // T2 has no business there
      event.location = TinyProgram::address('M');
      event.size = 0;
      event.value = 1;
    }
  Behaviour knowledge;
  teach(knowledge, trace);
  const Walk walk(knowledge);
  EXPECT_TRUE(walk.kinds.contains(StepKind::Lifetime));
  EXPECT_TRUE(walk.kinds.contains(StepKind::Misuse));
}

TEST(Outputs, AreTextsOneAfterTheOther) {
  Behaviour knowledge;
  Outputs outputs;
  const u32 a = outputs.after(0, 1), b = outputs.after(0, 2), ab = outputs.after(a, 2), ba = outputs.after(b, 1);
  EXPECT_NE(ab, ba);
  EXPECT_EQ(outputs.after(a, 2), ab);
  EXPECT_EQ(outputs.whole(0, knowledge), "");
}

}  // namespace
}  // namespace plait
