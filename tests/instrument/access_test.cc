// Which accesses become which hook calls.
#include <gtest/gtest.h>

#include "ir.h"

namespace plait::test {
namespace {

TEST(Access, EveryStoreOfTheSourceIsKept) {
  Ir ir = compile(Lang::C, "int x; void f(void) { x = 1; x = 2; } int g(void) { return x + x; }");
  EXPECT_EQ(count(ir.function("f"), "call void @__plait_store4(ptr"), 2u);
  EXPECT_EQ(count(ir.function("g"), "@__plait_load4("), 2u);
}

TEST(Access, WaitingLoopStays) {
  Ir ir = compile(Lang::C, "int flag; void f(void) { while (!flag) ; }");
  EXPECT_EQ(count(ir.function("f"), "@__plait_load4("), 1u);
  EXPECT_NE(ir.function("f").find("br i1"), std::string::npos);
}

TEST(Access, EmptyInfiniteLoopStaysInCxx) {
  Ir ir = compile(Lang::Cxx, "void f() { while (true) { } }");
  EXPECT_NE(ir.function("_Z1fv").find("br label"), std::string::npos);
  EXPECT_EQ(ir.function("_Z1fv").find("unreachable"), std::string::npos);
}

TEST(Access, AllPlainSizesAndTypes) {
  Ir ir = compile(Lang::C, R"(
    char c; short s; int i; long l; float f; double d; void* p; _Bool b;
    void stores(void* q) { c = 1; s = 1; i = 1; l = 1; f = 1; d = 1; p = q; b = 1; }
    long loads(void) { return c + s + i + l + (long)f + (long)d + (long)p + b; })");
  const std::string stores = ir.function("stores"), loads = ir.function("loads");
  EXPECT_EQ(count(stores, "@__plait_store1("), 2u);
  EXPECT_EQ(count(stores, "@__plait_store2("), 1u);
  EXPECT_EQ(count(stores, "@__plait_store4("), 2u);
  EXPECT_EQ(count(stores, "@__plait_store8("), 3u);
  EXPECT_EQ(count(loads, "@__plait_load1("), 2u);
  EXPECT_EQ(count(loads, "@__plait_load8("), 3u);
  // Small integers are extended as the C calling convention wants.
  EXPECT_NE(stores.find("@__plait_store1(ptr nonnull @c, i8 zeroext 1"), std::string::npos) << stores;
}

TEST(Access, OddSizesGoThroughARange) {
  Ir ir = compile(Lang::C, "long double x; __int128 y; void f(void) { x = x + 1; y++; }");
  EXPECT_EQ(count(ir.function("f"), "@__plait_load_range(ptr"), 2u);
  EXPECT_NE(ir.function("f").find("i64 10, ptr"), std::string::npos);
  EXPECT_NE(ir.function("f").find("i64 16, ptr"), std::string::npos);
}

TEST(Access, StructCopies) {
  Ir ir = compile(Lang::C, R"(
    struct s { long a[6]; }; struct s g1, g2; void use(struct s*);
    void both_shared(void) { g1 = g2; }
    long from_shared(int i) { struct s l = g1; return l.a[i]; }
    void to_shared(int i) { struct s l; for (int k = 0; k < 6; k++) l.a[k] = i; g1 = l; }
    void cleared(void) { __builtin_memset(&g1, 0, sizeof g1); })");
  EXPECT_EQ(count(ir.function("both_shared"), "@__plait_copy(ptr nonnull @g1, ptr nonnull @g2, i64 48"), 1u);
  EXPECT_EQ(count(ir.function("from_shared"), "@__plait_load_range("), 1u);
  EXPECT_EQ(count(ir.function("to_shared"), "@__plait_store_range("), 1u);
  EXPECT_EQ(count(ir.function("cleared"), "@__plait_fill(ptr nonnull @g1, i32 0, i64 48"), 1u);
  EXPECT_EQ(count(ir.text, "@llvm.memcpy"), 0u);
}

TEST(Access, ByValueArgumentIsCopiedVisibly) {
  Ir ir = compile(Lang::C, "struct s { long a[6]; }; struct s g; long ext(struct s); long f(void) { return ext(g); }");
  EXPECT_EQ(count(ir.function("f"), "@__plait_load_range("), 1u);
  EXPECT_EQ(ir.function("f").find("byval(%struct.s) align 8 @g"), std::string::npos);
}

TEST(Access, AtomicsKeepTheirOrders) {
  Ir ir = compile(Lang::Cxx, R"(
    #include <atomic>
    std::atomic<int> a; std::atomic<void*> p; std::atomic<double> d;
    int load() { return a.load(std::memory_order_acquire); }
    void store() { a.store(1, std::memory_order_release); a.store(2, std::memory_order_relaxed); a = 3; }
    int add() { return a.fetch_add(5, std::memory_order_acq_rel); }
    int exchange() { return a.exchange(5); }
    bool cas(int e) { return a.compare_exchange_strong(e, 9, std::memory_order_acq_rel, std::memory_order_acquire); }
    bool pcas(void* e, void* n) { return p.compare_exchange_weak(e, n); }
    void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); std::atomic_signal_fence(std::memory_order_acquire); })");
  EXPECT_NE(ir.function("_Z4loadv").find("@__plait_atomic_load4(ptr nonnull @a, i32 4,"), std::string::npos);
  const std::string store = ir.function("_Z5storev");
  EXPECT_NE(store.find("@__plait_atomic_store4(ptr nonnull @a, i32 1, i32 5,"), std::string::npos) << store;
  EXPECT_NE(store.find("@__plait_atomic_store4(ptr nonnull @a, i32 2, i32 2,"), std::string::npos) << store;
  EXPECT_NE(store.find("@__plait_atomic_store4(ptr nonnull @a, i32 3, i32 7,"), std::string::npos) << store;
  EXPECT_NE(ir.function("_Z3addv").find("@__plait_atomic_rmw4(ptr nonnull @a, i32 5, i32 1, i32 6,"),
            std::string::npos);
  EXPECT_NE(ir.function("_Z8exchangev").find("@__plait_atomic_rmw4(ptr nonnull @a, i32 5, i32 0, i32 7,"),
            std::string::npos);
  const std::string cas = ir.function("_Z3casi");
  EXPECT_NE(cas.find("i32 9, i32 6, i32 4,"), std::string::npos) << cas;
  EXPECT_NE(ir.function("_Z4pcasPvS_").find("@__plait_atomic_cas8("), std::string::npos);
  EXPECT_NE(ir.function("_Z5fencev").find("@__plait_fence(i32 7, i32 0,"), std::string::npos);
  EXPECT_NE(ir.function("_Z5fencev").find("@__plait_fence(i32 4, i32 1,"), std::string::npos);
}

TEST(Access, SixteenByteAtomics) {
  Ir ir = compile(Lang::C, R"(
    _Alignas(16) __int128 x;
    __int128 load(void) { return __atomic_load_n(&x, 5); }
    void store(__int128 v) { __atomic_store_n(&x, v, 5); }
    __int128 add(__int128 v) { return __atomic_fetch_add(&x, v, 5); }
    int cas(__int128 e, __int128 d) { return __atomic_compare_exchange_n(&x, &e, d, 0, 5, 5); })");
  EXPECT_NE(ir.function("load").find("call i128 @__plait_atomic_load16("), std::string::npos);
  EXPECT_NE(ir.function("store").find("@__plait_atomic_store16("), std::string::npos);
  EXPECT_NE(ir.function("add").find("@__plait_atomic_rmw16("), std::string::npos);
  EXPECT_NE(ir.function("cas").find("@__plait_atomic_cas16("), std::string::npos);
}

TEST(Access, WiderAtomicsAreCopiesInAnAtomicSection) {
  Ir ir = compile(Lang::Cxx, R"(
    #include <atomic>
    struct T { long a, b, c; }; std::atomic<T> t; T g;
    void load() { g = t.load(); } bool cas(T e, T d) { return t.compare_exchange_strong(e, d); })");
  const std::string load = ir.function("_ZNKSt6atomicI1TE4loadESt12memory_order");
  EXPECT_EQ(count(ir.text, "@__atomic_"), 0u);
  EXPECT_EQ(count(load, "call void @__plait_atomic_begin()"), 1u);
  EXPECT_EQ(count(load, "call void @__plait_atomic_end()"), 1u);
  EXPECT_EQ(count(load, "@__plait_load_range("), 1u);
  EXPECT_EQ(count(ir.text, "call i32 @__plait_memcmp("), 1u);
}

TEST(Access, VolatileIsAnAtomicOfItsOwnOrder) {
  Ir ir = compile(Lang::C, "volatile int v; volatile double d; void f(void) { v = v + 1; d = 1; }");
  EXPECT_EQ(count(ir.function("f"), "@__plait_atomic_load4(ptr nonnull @v, i32 1,"), 1u);
  EXPECT_EQ(count(ir.function("f"), "@__plait_atomic_store8(ptr nonnull @d, i64 4607182418800017408, i32 1,"), 1u);
}

TEST(Access, ConstantsAndVirtualTablesAreReadNatively) {
  Ir ir = compile(Lang::Cxx, R"(
    const int table[4] = {1, 2, 3, 4};
    int look(int i) { return table[i & 3]; }
    struct B { virtual int f(); }; int call(B* b) { return b->f(); })");
  EXPECT_EQ(hooks(ir.function("_Z4looki")), 0u);
  const std::string call = ir.function("_Z4callP1B");
  EXPECT_EQ(count(call, "@__plait_load8("), 1u) << call;  // the object's own pointer
  EXPECT_EQ(count(call, " = load ptr") - count(call, "load ptr, ptr @__plait_"), 1u) << call;  // the table's entry
}

TEST(Access, AutomaticInitialisationIsNoEvent) {
  Ir ir = compile(Lang::C, "void ext(int*); void f(void) { int x; ext(&x); }");
  EXPECT_EQ(count(ir.function("f"), "@__plait_store"), 0u);
  EXPECT_NE(ir.function("f").find("store i32 -1431655766"), std::string::npos);
}

TEST(Access, ModuleIsInstrumentedOnce) {
  const Ir once = compile(Lang::C, "int x; void f(void) { x = 1; }");
  const std::string file = write_file("once.ll", once.text);
  std::vector<std::string> command = {PLAIT_CLANG, "-O1"};
  for (const std::string& flag : plait_flags()) command.push_back(flag);
  command.insert(command.end(), {"-S", "-emit-llvm", "-o", "-", file});
  const Output again = run(command);
  EXPECT_EQ(count(again.text, "call void @__plait_store4("), 1u) << again.text;
}

TEST(Access, OtherTargetsAreRefused) {
  const std::string file = write_file("other.c", "int x; void f(void) { x = 1; }");
  std::vector<std::string> command = {PLAIT_CLANG, "-m32", "-O1", "-fplugin=" PLAIT_PLUGIN,
                                      "-fpass-plugin=" PLAIT_PLUGIN};
  command.insert(command.end(), {"-c", "-o", scratch_directory() + "/other.o", file});
  const Output output = run(command);
  EXPECT_NE(output.status, 0);
  EXPECT_NE(output.text.find("only x86-64 Linux"), std::string::npos) << output.text;
}

}  // namespace
}  // namespace plait::test
