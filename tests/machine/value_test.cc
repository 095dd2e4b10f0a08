#include "machine/value.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>

namespace plait::machine {
namespace {

// Each kind against the processor's own atomic, on random values.
template <class T>
void compare_with_processor() {
  std::mt19937_64 random(42);
  for (int i = 0; i < 2000; ++i) {
    const T old = static_cast<T>(random()), operand = static_cast<T>(random());
    std::atomic<T> value;
    auto check = [&](RmwKind kind, auto apply) {
      value = old;
      apply();
      EXPECT_EQ(rmw<T>(kind, old, operand), value.load()) << static_cast<int>(kind);
    };
    check(RmwKind::Add, [&] { value.fetch_add(operand); });
    check(RmwKind::Exchange, [&] { value.exchange(operand); });
    check(RmwKind::Sub, [&] { value.fetch_sub(operand); });
    check(RmwKind::And, [&] { value.fetch_and(operand); });
    check(RmwKind::Or, [&] { value.fetch_or(operand); });
    check(RmwKind::Xor, [&] { value.fetch_xor(operand); });
    using Signed = std::make_signed_t<T>;
    const auto sold = static_cast<Signed>(old), soperand = static_cast<Signed>(operand);
    EXPECT_EQ(rmw<T>(RmwKind::Max, old, operand), static_cast<T>(std::max(sold, soperand)));
    EXPECT_EQ(rmw<T>(RmwKind::Min, old, operand), static_cast<T>(std::min(sold, soperand)));
    EXPECT_EQ(rmw<T>(RmwKind::UMax, old, operand), std::max(old, operand));
    EXPECT_EQ(rmw<T>(RmwKind::UMin, old, operand), std::min(old, operand));
    EXPECT_EQ(rmw<T>(RmwKind::Nand, old, operand), static_cast<T>(~(old & operand)));
  }
}

TEST(Rmw, OneByte) { compare_with_processor<u8>(); }
TEST(Rmw, TwoBytes) { compare_with_processor<u16>(); }
TEST(Rmw, FourBytes) { compare_with_processor<u32>(); }
TEST(Rmw, EightBytes) { compare_with_processor<u64>(); }

TEST(Rmw, SixteenBytesCarry) {
  const u128 low = ~u64{0};
  EXPECT_TRUE(rmw<u128>(RmwKind::Add, low, 1) == u128{1} << 64);
}

TEST(Rmw, FloatingPoint) {
  const double a = 1.5, b = 2.25;
  u64 x, y;
  std::memcpy(&x, &a, 8);
  std::memcpy(&y, &b, 8);
  const u64 sum = rmw<u64>(RmwKind::FAdd, x, y), difference = rmw<u64>(RmwKind::FSub, x, y);
  double result;
  std::memcpy(&result, &sum, 8);
  EXPECT_EQ(result, 3.75);
  std::memcpy(&result, &difference, 8);
  EXPECT_EQ(result, -0.75);
}

TEST(Rmw, WrappingIncrements) {
  EXPECT_EQ(rmw<u32>(RmwKind::UIncWrap, 4, 5), 5u);
  EXPECT_EQ(rmw<u32>(RmwKind::UIncWrap, 5, 5), 0u);
  EXPECT_EQ(rmw<u32>(RmwKind::UDecWrap, 0, 5), 5u);
  EXPECT_EQ(rmw<u32>(RmwKind::UDecWrap, 9, 5), 5u);
  EXPECT_EQ(rmw<u32>(RmwKind::UDecWrap, 3, 5), 2u);
}

TEST(Truncate, KeepsTheLowBytes) {
  EXPECT_EQ(truncate<u64>(0x1122334455667788, 2), 0x7788u);
  EXPECT_EQ(truncate<u64>(0x1122334455667788, 8), 0x1122334455667788u);
}

}  // namespace
}  // namespace plait::machine
