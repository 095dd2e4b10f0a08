// Accesses by an offset from an object's own start: which are compared with its size.
#include <gtest/gtest.h>

#include "ir.h"

namespace plait::test {
namespace {

size_t checks(const Ir& ir, const std::string& function) {
  return count(ir.function(function), "call void @__plait_out_of_bounds(");
}

TEST(Bounds, UnknownOffsetsAreCompared) {
  Ir ir = compile(Lang::C, R"(
    int global[4]; const int fixed[4] = {1, 2}; __thread int own[4]; struct S { int a[8]; };
    int in_global(int i) { return global[i]; } int in_constant(int i) { return fixed[i]; } int in_own(int i) { return own[i]; }
    int in_local(int i) { int a[4] = {1}; return a[i]; } int in_length(int n, int i) { int a[n]; a[0] = 1; return a[i]; }
    int in_parameter(struct S s, int i) { return s.a[i]; } void filled(unsigned long n) { char a[4]; __builtin_memset(a, 0, n); global[0] = a[1]; })");
  for (const char* name : {"in_global", "in_constant", "in_own", "in_local", "in_parameter", "filled"})
    EXPECT_EQ(checks(ir, name), 1u) << name;
  EXPECT_EQ(checks(ir, "in_length"), 2u);
}

TEST(Bounds, OffsetsThatLieInsideAreNot) {
  Ir ir = compile(Lang::C, R"(
    int global[8];
    int up(void) { int a[8], s = 0; for (int i = 0; i < 8; ++i) a[i] = i; for (int i = 1; i < 8; ++i) s += a[i - 1]; return s; }
    int down(void) { int s = 0; for (int i = 7; i >= 0; --i) s += global[i]; return s; }
    int nested(void) { int a[4][5], s = 0; for (int i = 0; i < 4; ++i) for (int j = 0; j < 5; ++j) s += a[i][j] = j; return s; }
    int masked(unsigned i) { return global[i & 7] + global[i % 8]; }
    int asked(int i) { return i < 0 || i >= 8 ? 0 : global[i]; }
    int limited(int n) { int s = 0; if (n > 8) n = 8; for (int i = 0; i < n; ++i) s += global[i]; return s; })");
  for (const char* name : {"up", "down", "nested", "masked", "asked", "limited"})
    EXPECT_EQ(checks(ir, name), 0u) << name << ir.function(name);
}

TEST(Bounds, OtherDefinitionsMayBeLarger) {
  Ir ir = compile(
      Lang::C,
      "__attribute__((weak)) int weak[4]; extern int elsewhere[4]; int f(int i) { return weak[i] + elsewhere[i]; }");
  EXPECT_EQ(checks(ir, "f"), 0u);
}

TEST(Bounds, ConstantOffsetsSurviveOptimisation) {
  for (const char* level : {"-O0", "-O1", "-O2"}) {
    Ir ir = compile(Lang::C, R"(
      static inline void put(int* a, int i) { a[i] = 1; }
      int f(int x) { int a[4] = {0}; if (x) a[4] = 1; return a[0]; }
      int g(int x) { int a[4] = {0}; if (x) __builtin_memset(a, 0, 17); return a[0]; }
      int h(int x) { int a[4] = {0}; if (x) put(a, 4); return a[0]; })",
                    {level, "-Wno-everything"});
    EXPECT_EQ(checks(ir, "f"), 1u) << level;
    EXPECT_EQ(checks(ir, "g"), 1u) << level;
    if (level != std::string("-O0")) EXPECT_EQ(checks(ir, "h"), 1u) << level << ir.function("h");
    EXPECT_EQ(ir.function("f").find("ptr null)"), std::string::npos) << "they have a site";
  }
}

TEST(Zones, LocalsThatMayBeOverflowed) {
  Ir ir = compile(Lang::C, R"(
    void ext(int*); static __attribute__((noinline)) int first(int* p) { return p[0]; }
    void handed(void) { int a[4]; ext(a); }
    int inside(void) { int a[4] = {1}; return first(a); }
    void aligned(void) { _Alignas(64) int a[4]; ext(a); })");
  EXPECT_EQ(count(ir.function("handed"), "alloca [80 x i8], align 16"), 1u) << ir.function("handed");
  EXPECT_NE(ir.function("handed").find(", i64 16, i64 137438953504, "), std::string::npos)
      << "32 bytes in front, 32 behind";
  EXPECT_EQ(count(ir.function("inside"), " x i8]"), 0u) << "all accesses are known";
  EXPECT_EQ(count(ir.function("aligned"), "alloca [112 x i8], align 64"), 1u) << ir.function("aligned");
}

TEST(Zones, VariableLengthsAndParameters) {
  Ir ir = compile(Lang::C, R"(
    struct S { int a[8]; }; void ext(int*);
    void length(int n) { int a[n]; ext(a); }
    void scope(int n) { for (int i = 0; i < n; ++i) { int a[n]; ext(a); } }
    void parameter(struct S s) { ext(s.a); })");
  EXPECT_EQ(count(ir.function("length"), "@__plait_guard("), 1u);
  EXPECT_EQ(count(ir.function("length"), "@__plait_release_stack("), 2u) << "the scope and the function end";
  EXPECT_EQ(count(ir.function("scope"), "@__plait_release_stack("), 2u) << "each turn ends one, and so does the return";
  EXPECT_EQ(count(ir.function("parameter"), "@__plait_begin_life("), 1u);
  EXPECT_EQ(count(ir.function("parameter"), "@__plait_end_life("), 1u);
}

TEST(Zones, PlacesWhereFramesAreLeftBehind) {
  Ir ir = compile(Lang::Cxx, R"(
    #include <csetjmp>
    struct S { ~S(); }; void ext(); std::jmp_buf place; int x;
    void cleans() { S s; ext(); } void catches() { try { ext(); } catch (...) { x = 1; } }
    int jumps() { return setjmp(place); } void plain() { ext(); })");
  for (const char* name : {"_Z6cleansv", "_Z7catchesv", "_Z5jumpsv"})
    EXPECT_EQ(count(ir.function(name), "@__plait_unwound()"), 1u) << name;
  EXPECT_EQ(count(ir.function("_Z5plainv"), "@__plait_unwound()"), 0u);
}

}  // namespace
}  // namespace plait::test
