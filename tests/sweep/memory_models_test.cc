// The oracle under weak memory, on programs whose answers are known or can be worked out by hand.
#include <gtest/gtest.h>

#include "enumerator.h"
#include "generator.h"

namespace sweep {
namespace {

using Digits = std::set<std::string>;
using Races = std::set<std::pair<char, char>>;

Enumeration of(const std::string& text, MemoryModel model) { return enumerate(from_text(text), 1000000, model); }

std::uint64_t orders(const std::string& text, MemoryModel model) { return of(text, model).interleavings; }

constexpr MemoryModel SC = MemoryModel::SC, TSO = MemoryModel::TSO, PSO = MemoryModel::PSO;

/// A register of a thread, as a place in an outcome from its end.
constexpr std::size_t reg(int thread, int number) { return static_cast<std::size_t>(kRegisters * thread + number); }

/// The values of the given registers over all outcomes.
Digits values(const std::string& text, MemoryModel model, const std::vector<std::size_t>& registers) {
  Digits result;
  for (const std::string& outcome : of(text, model).outcomes) {
    std::string digits;
    for (const std::size_t place : registers) digits += outcome[outcome.size() - 2 - place];
    result.insert(digits);
  }
  return result;
}

void expect_as_sc(const std::string& text) {
  for (const MemoryModel model : {TSO, PSO}) EXPECT_EQ(of(text, model).outcomes, of(text, SC).outcomes) << text;
}

TEST(MemoryModels, StoreBuffering) {
  const std::string sb = "f1 s01 l10 / s11 l00";
  EXPECT_EQ(values(sb, SC, {reg(0, 0), reg(1, 0)}), (Digits{"01", "10", "11"}));
  EXPECT_EQ(orders(sb, SC), 6u);
  for (const MemoryModel model : {TSO, PSO}) {
    EXPECT_EQ(values(sb, model, {reg(0, 0), reg(1, 0)}), (Digits{"00", "01", "10", "11"}));
    EXPECT_EQ(orders(sb, model), 24u);  // flush and load of a thread in any order
    EXPECT_EQ(of(sb, model).classes, 4u);
    EXPECT_EQ(of(sb, model).histories, 2u + 4u + 2u);  // what main loads, then what it joins; what thread 1 loads
  }
}

TEST(MemoryModels, WhatDrainsForbidsStoreBuffering) {
  expect_as_sc("f1 s01 M l10 / s11 M l00");
  expect_as_sc("f1 A01 l10 / A11 l00");
  expect_as_sc("f1 F010 l10 / F110 l00");
  expect_as_sc("f1 C0010 l10 / C1010 l00");
  expect_as_sc("f1 k0 s01 l10 u0 / k0 s11 l00 u0");
  // Objects that only one thread uses.
  expect_as_sc("f1 s01 F210 l10 / s11 F310 l00");
  expect_as_sc("f1 s01 A21 l10 / s11 C3011 l00");
  expect_as_sc("f1 s01 k0 u0 l10 / s11 k1 u1 l00");
  expect_as_sc("f1 s01 t01 l10 / s11 T11 l00");
  expect_as_sc("f1 s01 P0 l10 / s11 g1 l00");
}

TEST(MemoryModels, WhatDoesNotDrain) {
  for (const char* between : {"N", "U21", "L22", "Q22", "s21", "R21", "a21", "j"})
    for (const MemoryModel model : {TSO, PSO}) {
      const std::string text = std::string("f1 s01 M l10 / s11 ") + between + " l00";
      EXPECT_TRUE(values(text, model, {reg(0, 0), reg(1, 0)}).contains("00")) << text;
    }
}

TEST(MemoryModels, OneFenceIsNotEnough) {
  EXPECT_EQ(values("f1 s01 M l10 / s11 l00", TSO, {reg(0, 0), reg(1, 0)}), (Digits{"00", "01", "10", "11"}));
}

TEST(MemoryModels, MessagePassing) {
  const std::vector<std::size_t> read = {reg(1, 0), reg(1, 1)};
  const Digits ordered = {"00", "01", "11"}, all = {"00", "01", "10", "11"};
  for (const char* text : {"f1 s01 s11 / l10 l01", "f1 R01 R11 / Q10 Q01", "f1 U01 s11 / l10 l01"}) {
    EXPECT_EQ(values(text, SC, read), ordered) << text;
    EXPECT_EQ(values(text, TSO, read), ordered) << text;
    EXPECT_EQ(values(text, PSO, read), all) << text;
    EXPECT_EQ(orders(text, TSO), 6u) << text;
    EXPECT_EQ(orders(text, PSO), 12u) << text;  // flushes in any order, loads in theirs
  }
  for (const char* text : {"f1 s01 U11 / l10 l01", "f1 s01 N s11 / l10 l01", "f1 s01 M s11 / l10 l01",
                           "f1 s01 A11 / l10 l01", "f1 s01 U21 s11 / l10 l01", "f1 s01 A21 s11 / l10 l01"}) {
    EXPECT_EQ(values(text, PSO, read), ordered) << text;
    EXPECT_EQ(orders(text, PSO), 6u) << text;
  }
}

TEST(MemoryModels, BarriersOrderStoresOnly) {
  // Three stores, the barrier after the first two: 2 orders of flushes, one load at 4 places.
  EXPECT_EQ(orders("f1 s01 s11 N s21 / l20 l10 l00", PSO), 2u * 20u);
  EXPECT_EQ(orders("f1 s01 U11 s21 / l20 l10 l00", PSO), 2u * 20u);  // x before y, x before z
  EXPECT_EQ(orders("f1 s01 s11 s21 / l20 l10 l00", PSO), 6u * 20u);
}

TEST(MemoryModels, LoadBufferingIsNever) {
  for (const MemoryModel model : kMemoryModels) {
    EXPECT_EQ(values("f1 l00 s11 / l10 s01", model, {reg(0, 0), reg(1, 0)}), (Digits{"00", "01", "10"}));
    EXPECT_EQ(orders("f1 l00 s11 / l10 s01", model), 6u);
  }
}

TEST(MemoryModels, IndependentReadersAgree) {
  for (const MemoryModel model : kMemoryModels) {
    const Enumeration truth = of("f1 f2 f3 s01 / s11 / l00 l11 / l10 l01", model);
    EXPECT_EQ(truth.interleavings, 180u);   // 6! / (2! 2!)
    EXPECT_EQ(truth.outcomes.size(), 15u);  // all but 10 10
  }
}

TEST(MemoryModels, StoresAreForwarded) {
  const std::string text = "f1 s01 l00 l11 / s11 l10 l01";
  const std::vector<std::size_t> read = {reg(0, 0), reg(0, 1), reg(1, 0), reg(1, 1)};
  EXPECT_EQ(values(text, SC, read), (Digits{"1011", "1110", "1111"}));
  EXPECT_EQ(values(text, TSO, read), (Digits{"1010", "1011", "1110", "1111"}));
  // The newest of several.
  for (const MemoryModel model : kMemoryModels)
    EXPECT_EQ(values("f1 s01 s02 l00 / l00", model, {reg(0, 0)}), Digits{"2"});
}

TEST(MemoryModels, StoresToOnePlaceKeepTheirOrder) {
  for (const MemoryModel model : kMemoryModels) {
    EXPECT_EQ(orders("f1 s01 s02 / l00 l01", model), 6u);
    EXPECT_EQ(of("f1 s01 s02 / l00 l01", model).outcomes.size(), 6u);
  }
}

TEST(MemoryModels, TwoPlusTwoWrites) {
  const std::string text = "f1 f2 j l00 l11 / s01 s12 / s11 s02";
  const std::vector<std::size_t> read = {reg(0, 0), reg(0, 1)};
  EXPECT_EQ(values(text, TSO, read), (Digits{"12", "21", "22"}));
  EXPECT_EQ(values(text, PSO, read), (Digits{"11", "12", "21", "22"}));
  EXPECT_EQ(orders(text, TSO), 6u);
  EXPECT_EQ(orders(text, PSO), 24u);
}

TEST(MemoryModels, ForkJoinAndEndDrain) {
  for (const MemoryModel model : kMemoryModels) {
    EXPECT_EQ(values("f1 s01 f2 / l10 / l00", model, {reg(2, 0)}), Digits{"1"});
    EXPECT_EQ(orders("f1 s01 f2 / l10 / l00", model), 1u);
    EXPECT_EQ(values("f1 j l00 / s01", model, {reg(0, 0)}), Digits{"1"});
  }
  // A join waits for the joining thread's own buffer, even if the other thread has ended.
  const std::vector<std::size_t> read = {reg(2, 0), reg(2, 1)};
  EXPECT_EQ(values("f1 f2 / f3 s01 j s11 / l10 l01 /", PSO, read), (Digits{"00", "01", "11"}));
  EXPECT_EQ(values("f1 f2 / f3 s01 s11 / l10 l01 /", PSO, read), (Digits{"00", "01", "10", "11"}));
}

TEST(MemoryModels, TheEndOfMainLosesItsBuffer) {
  // After the join main is alone. L: its load, F: its flush, O: its output. FLO, LFO, LO.
  EXPECT_EQ(orders("f1 j s01 l00 / s02", SC), 1u);
  EXPECT_EQ(orders("f1 j s01 l00 / s02", TSO), 3u);
  EXPECT_EQ(values("f1 j s01 l00 / s02", TSO, {reg(0, 0)}), Digits{"1"});
}

TEST(MemoryModels, BeforeTheFirstForkMemoryIsWritten) {
  EXPECT_EQ(orders("s01 f1 s02 / l00", TSO), 2u);
  EXPECT_EQ(values("s01 f1 s02 / l00", TSO, {reg(1, 0)}), (Digits{"1", "2"}));
}

TEST(MemoryModels, BytesAreForwardedOneByOne) {
  for (const MemoryModel model : kMemoryModels) {
    // 3 and then 2 in byte 1: 0x203, folded 1. Others see 0, 3 or all of it.
    EXPECT_EQ(values("f1 s03 h012 l00 H011 / l00", model, {reg(0, 0), reg(0, 1)}), Digits{"12"});
    EXPECT_EQ(values("f1 s03 h012 l00 H011 / l00", model, {reg(1, 0)}), (Digits{"0", "1", "3"}));
    // The other thread uses byte 0 only, but main's accesses to all of the variable make byte 1 shared, too: two stores
    // and a load of main, which can pass them if they are buffered; one load of the other thread.
    EXPECT_EQ(values("f1 s03 h014 H012 l01 / H000", model, {reg(0, 2), reg(0, 1)}), Digits{"47"});
    EXPECT_EQ(orders("f1 s03 h014 H012 / H000", model), model == SC ? 4u : 12u);
  }
  // Different bytes do not overlap.
  EXPECT_EQ(values("f1 h001 h012 / l00", TSO, {reg(1, 0)}), (Digits{"0", "1", "3"}));
  EXPECT_EQ(values("f1 h001 h012 / l00", PSO, {reg(1, 0)}), (Digits{"0", "1", "2", "3"}));
  // A load takes byte 0 from the buffer and byte 1 from memory.
  EXPECT_TRUE(values("f1 h001 l00 / h012 l00", TSO, {reg(0, 0), reg(1, 0)}).contains("12"));
  EXPECT_FALSE(values("f1 h001 l00 / h012 l00", SC, {reg(0, 0), reg(1, 0)}).contains("12"));
}

TEST(MemoryModels, NeighbouringBytesAreNotShared) { EXPECT_EQ(orders("f1 h001 H000 / h012 H010", TSO), 1u); }

TEST(MemoryModels, RacesOfBufferedStores) {
  const std::string dekker = "f1 R01 Q10 ?001 s21 / R11 Q00 ?001 s22";
  EXPECT_EQ(of(dekker, SC).races, Races{});
  EXPECT_EQ(of(dekker, TSO).races, (Races{{'s', 's'}}));
  const std::string message = "f1 s01 R11 / Q10 ?011 l00";
  EXPECT_EQ(of(message, TSO).races, (Races{{'l', 's'}}));  // never both pending
  EXPECT_EQ(of(message, PSO).races, (Races{{'l', 's'}}));
  EXPECT_EQ(of("f1 s01 U11 / L10 ?011 l00", PSO).races, Races{});
  // No state has both pending, yet nothing orders them: the flag is read, or written, relaxed.
  EXPECT_EQ(of("f1 s01 U11 / Q10 ?011 l00", PSO).races, (Races{{'l', 's'}}));
  EXPECT_EQ(of("f1 s01 U11 / Q10 ?011 l00", SC).races, (Races{{'l', 's'}}));
  EXPECT_EQ(of("f1 s01 R11 / L10 ?011 l00", SC).races, (Races{{'l', 's'}}));
  EXPECT_EQ(of("f1 s01 N R11 / L10 ?011 l00", SC).races, Races{});             // a release fence
  EXPECT_EQ(of("f1 s01 N R11 / Q10 M ?011 l00", PSO).races, Races{});          // and one that acquires
  EXPECT_EQ(of("f1 s01 U11 R12 / L10 ?021 l00", SC).races, Races{});           // a release sequence
  EXPECT_EQ(of("f1 s01 k0 u0 R11 / Q10 ?013 k0 u0 l00", TSO).races, Races{});  // a lock orders them
  EXPECT_EQ(of("f1 h001 / h012", PSO).races, Races{});                         // other bytes
  EXPECT_EQ(of("f1 R01 U01 / L00 Q00", PSO).races, Races{});
}

TEST(MemoryModels, DeadlocksComeAfterTheFlush) {
  // K: main's lock; F: its flush, after which it waits for itself; L: the load. LKF, KLF, KF.
  EXPECT_EQ(of("f1 k0 s01 k0 / l00", TSO).deadlocks, 3u);
  EXPECT_EQ(of("f1 s01 k0 k1 u1 u0 / k1 k0 u0 u1", TSO).interleavings, 4u);
}

TEST(MemoryModels, EachModelAllowsMore) {
  std::uint64_t wider_tso = 0, wider_pso = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Program program = generate(seed, 1000);
    const Enumeration sc = enumerate(program, 1000, SC), tso = enumerate(program, 1000, TSO),
                      pso = enumerate(program, 1000, PSO);
    const auto includes = [](const auto& larger, const auto& smaller) {
      return std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end());
    };
    EXPECT_TRUE(includes(tso.outcomes, sc.outcomes)) << to_text(program);
    EXPECT_TRUE(includes(pso.outcomes, tso.outcomes)) << to_text(program);
    EXPECT_TRUE(includes(tso.races, sc.races)) << to_text(program);
    EXPECT_TRUE(includes(pso.races, tso.races)) << to_text(program);
    EXPECT_LE(sc.histories, tso.histories) << to_text(program);
    EXPECT_LE(tso.histories, pso.histories) << to_text(program);
    EXPECT_FALSE(sc.deadlocks && !tso.deadlocks) << to_text(program);
    wider_tso += tso.outcomes.size() > sc.outcomes.size();
    wider_pso += pso.outcomes.size() > tso.outcomes.size();
  }
  EXPECT_GT(wider_tso, 15u);
  EXPECT_GT(wider_pso, 5u);
}

}  // namespace
}  // namespace sweep
