// What is left alone: memory that no other thread can reach; functions that ask for it.
#include <gtest/gtest.h>

#include "ir.h"

namespace plait::test {
namespace {

TEST(Private, LocalsThatDoNotEscape) {
  Ir ir = compile(Lang::C, R"(
    int f(int n) { int a[16]; for (int i = 0; i < 16; i++) a[i] = i * n; int s = 0; for (int i = 0; i < n; i++) s += a[i & 15]; return s; })");
  EXPECT_EQ(hooks(ir.function("f")), 0u);
}

TEST(Private, SameAtO0) {
  Ir ir = compile(Lang::C, "int g; int f(int n) { int a = n, b = a + 1; g = b; return a; }", {"-O0"});
  EXPECT_EQ(count(ir.function("f"), "call"), 1u + count(ir.function("f"), "@llvm."));
  EXPECT_EQ(count(ir.function("f"), "@__plait_store4("), 1u);
}

TEST(Private, EscapingLocalsAreHooked) {
  Ir ir = compile(Lang::C, "void ext(int*); int f(void) { int x = 1; ext(&x); x = 2; return x; }");
  EXPECT_EQ(count(ir.function("f"), "@__plait_store4("), 2u);
  EXPECT_EQ(count(ir.function("f"), "@__plait_load4("), 1u);
}

TEST(Private, ObjectStoredSomewhereIsHooked) {
  Ir ir = compile(Lang::C, "int* p; int f(void) { int x = 1; p = &x; x = 2; return x; }");
  EXPECT_EQ(count(ir.function("f"), "@__plait_store4("), 2u);
}

TEST(Private, ThreadLocals) {
  Ir ir = compile(Lang::C, R"(
    static __thread int hidden; static __thread int leaked; __thread int open; int* where;
    void a(void) { hidden++; } void b(void) { leaked++; } void c(void) { open++; } void d(void) { where = &leaked; })");
  EXPECT_EQ(hooks(ir.function("a")), 0u);
  EXPECT_EQ(count(ir.function("b"), "@__plait_store4("), 1u);
  EXPECT_EQ(count(ir.function("c"), "@__plait_store4("), 1u);
}

TEST(Private, SkippedFunctions) {
  Ir ir = compile(Lang::C, R"(
    int x;
    __attribute__((annotate("plait_skip"), noinline)) void skipped(void) { x = 1; }
    __attribute__((section("plait_skip"), noinline)) void section(void) { x = 1; }
    __attribute__((no_sanitize("thread"), noinline)) void sanitized(void) { x = 1; }
    __attribute__((naked)) void bare(void) { __asm__("ret"); })");
  EXPECT_EQ(hooks(ir.function("skipped")), 0u);
  EXPECT_EQ(hooks(ir.function("section")), 0u);
  EXPECT_EQ(count(ir.function("sanitized"), "@__plait_store4("), 1u);
  EXPECT_EQ(hooks(ir.function("bare")), 0u);
}

}  // namespace
}  // namespace plait::test
