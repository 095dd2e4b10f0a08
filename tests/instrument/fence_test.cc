// Which parts of a program are fences, and of which order: the table of docs/memory-models.md.
#include <gtest/gtest.h>

#include "ir.h"

namespace plait::test {
namespace {

const std::string kAcquire = "@__plait_fence(i32 4, i32 0,", kRelease = "@__plait_fence(i32 5, i32 0,",
                  kBoth = "@__plait_fence(i32 6, i32 0,", kDrain = "@__plait_fence(i32 7, i32 0,",
                  kInPlace = "@__plait_fence(i32 7, i32 2,";
const std::string kAnyFence = "@__plait_fence(", kUnknown = "@__plait_assembly(";

TEST(Fence, ThreadFencesOfEveryOrder) {
  Ir ir = compile(Lang::C, R"code(
    #include <stdatomic.h>
    void relaxed(void) { atomic_thread_fence(memory_order_relaxed); }
    void consume(void) { atomic_thread_fence(memory_order_consume); }
    void acquire(void) { atomic_thread_fence(memory_order_acquire); }
    void release(void) { atomic_thread_fence(memory_order_release); }
    void both(void) { atomic_thread_fence(memory_order_acq_rel); }
    void full(void) { atomic_thread_fence(memory_order_seq_cst); }
    void old(void) { __sync_synchronize(); })code");
  EXPECT_EQ(hooks(ir.function("relaxed")), 0u);
  EXPECT_EQ(count(ir.function("consume"), kAcquire), 1u);
  EXPECT_EQ(count(ir.function("acquire"), kAcquire), 1u);
  EXPECT_EQ(count(ir.function("release"), kRelease), 1u);
  EXPECT_EQ(count(ir.function("both"), kBoth), 1u);
  EXPECT_EQ(count(ir.function("full"), kDrain), 1u);
  EXPECT_EQ(count(ir.function("old"), kDrain), 1u);
}

TEST(Fence, OrderThatOnlyTheRunKnows) {
  Ir ir =
      compile(Lang::C, "#include <stdatomic.h>\nvoid f(memory_order order) { atomic_thread_fence(order); }", {"-O0"});
  const std::string f = ir.function("f");
  for (const std::string& fence : {kAcquire, kRelease, kBoth, kDrain}) EXPECT_EQ(count(f, fence), 1u) << fence << f;
}

TEST(Fence, SignalFencesAreOfOneThread) {
  Ir ir = compile(Lang::Cxx, R"code(
    #include <atomic>
    void acquire() { std::atomic_signal_fence(std::memory_order_acquire); }
    void full() { std::atomic_signal_fence(std::memory_order_seq_cst); })code");
  EXPECT_EQ(count(ir.function("_Z7acquirev"), "@__plait_fence(i32 4, i32 1,"), 1u);
  EXPECT_EQ(count(ir.function("_Z4fullv"), "@__plait_fence(i32 7, i32 1,"), 1u);
}

TEST(Fence, Intrinsics) {
  Ir ir = compile(Lang::C, R"code(
    #include <emmintrin.h>
    void full(void) { _mm_mfence(); }
    void stores(void) { _mm_sfence(); }
    void loads(void) { _mm_lfence(); }
    void wait(void) { _mm_pause(); })code");
  EXPECT_EQ(count(ir.function("full"), kDrain), 1u);
  EXPECT_EQ(count(ir.function("stores"), kRelease), 1u);
  EXPECT_EQ(count(ir.function("loads"), kAcquire), 1u);
  EXPECT_EQ(hooks(ir.function("wait")), 0u);
}

TEST(Fence, SyncFunctionsAreReadModifyWrites) {
  Ir ir = compile(Lang::C, R"code(
    int x;
    int add(void) { return __sync_fetch_and_add(&x, 1); }
    int add_after(void) { return __sync_add_and_fetch(&x, 1); }
    int cas(void) { return __sync_bool_compare_and_swap(&x, 0, 1); }
    int cas_value(void) { return __sync_val_compare_and_swap(&x, 0, 1); }
    int set(void) { return __sync_lock_test_and_set(&x, 1); }
    void release(void) { __sync_lock_release(&x); })code");
  const std::string rmw = "@__plait_atomic_rmw4(ptr nonnull @x, i32 1, ";
  EXPECT_EQ(count(ir.function("add"), rmw + "i32 1, i32 7,"), 1u);
  EXPECT_EQ(count(ir.function("add_after"), rmw + "i32 1, i32 7,"), 1u);
  EXPECT_EQ(count(ir.function("cas"), "@__plait_atomic_cas4(ptr nonnull @x, i32 0, i32 1, i32 7, i32 7,"), 1u);
  EXPECT_EQ(count(ir.function("cas_value"), "@__plait_atomic_cas4(ptr nonnull @x, i32 0, i32 1, i32 7, i32 7,"), 1u);
  EXPECT_EQ(count(ir.function("set"), rmw + "i32 0, i32 7,"), 1u);
  // The one exception: a store, as in the machine code.
  EXPECT_EQ(count(ir.function("release"), "@__plait_atomic_store4(ptr nonnull @x, i32 0, i32 5,"), 1u);
}

TEST(Fence, Assembly) {
  Ir ir = compile(Lang::C, R"code(
    void full(void) { __asm__ volatile("mfence" ::: "memory"); }
    void full_without_clobber(void) { __asm__ volatile("mfence"); }
    void stores(void) { __asm__ volatile("sfence" ::: "memory"); }
    void loads(void) { __asm__ volatile("lfence" ::: "memory"); }
    void two(void) { __asm__ volatile("lfence; sfence" ::: "memory"); }
    void three(void) { __asm__ volatile("lfence\n\tmfence\n\tsfence" ::: "memory"); }
    void add(void) { __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc"); }
    void add_below(void) { __asm__ volatile("lock addq $0, -8(%%rsp)" ::: "memory"); }
    void or(void) { __asm__ volatile("lock orl $0x0, (%%rsp)" ::: "memory"); })code");
  for (const char* name : {"full", "full_without_clobber", "three", "add", "add_below", "or"}) {
    EXPECT_EQ(count(ir.function(name), kDrain), 1u) << ir.function(name);
    EXPECT_EQ(count(ir.function(name), kUnknown), 0u) << ir.function(name);
  }
  EXPECT_EQ(count(ir.function("stores"), kRelease), 1u);
  EXPECT_EQ(count(ir.function("loads"), kAcquire), 1u);
  EXPECT_EQ(count(ir.function("two"), kBoth), 1u);
}

TEST(Fence, AssemblyWithoutEffect) {
  Ir ir = compile(Lang::C, R"code(
    void barrier(void) { __asm__ volatile("" ::: "memory"); }
    void comment(void) { __asm__ volatile("# mfence" ::: "memory"); }
    void pause(void) { __asm__ volatile("pause" ::: "memory"); }
    void old_pause(void) { __asm__ volatile("rep; nop" ::: "memory"); }
    void old_pause_in_one(void) { __asm__ volatile("rep nop" ::: "memory"); })code");
  for (const char* name : {"barrier", "comment", "pause", "old_pause", "old_pause_in_one"})
    EXPECT_EQ(hooks(ir.function(name)), 0u) << ir.function(name);
}

TEST(Fence, OtherAssemblyStaysUnsupported) {
  Ir ir = compile(Lang::C, R"code(
    int x;
    void changes_stack(void) { __asm__ volatile("lock; addl $1,0(%%rsp)" ::: "memory"); }
    void changes_variable(void) { __asm__ volatile("lock; addl $1, %0" : "+m"(x) :: "memory"); }
    void not_locked(void) { __asm__ volatile("orl $0, (%%rsp)" ::: "memory"); }
    void store_then_fence(void) { __asm__ volatile("movl $1, %0; mfence" : "=m"(x) :: "memory"); }
    void repeated_copy(void) { __asm__ volatile("rep movsb" ::: "memory"); }
    void unlike_fence(void) { __asm__ volatile("myfence" ::: "memory"); })code");
  for (const char* name :
       {"changes_stack", "changes_variable", "not_locked", "store_then_fence", "repeated_copy", "unlike_fence"})
    EXPECT_EQ(count(ir.function(name), kUnknown), 1u) << ir.function(name);
  EXPECT_EQ(count(ir.function("changes_stack"), kAnyFence), 0u);
}

// A draining operation on memory that no other thread can reach drains all the same; the access itself stays native. (A
// single variable that is only loaded and stored is no memory any more when the pass sees it, as in any optimised
// program.)
TEST(Fence, PrivateAtomicsDrain) {
  Ir ir = compile(Lang::C, R"code(
    #include <stdatomic.h>
    int add(int by) { atomic_int x; atomic_init(&x, by); return atomic_fetch_add_explicit(&x, by, memory_order_relaxed); }
    int cas(int v) { atomic_int x; atomic_init(&x, v); return atomic_compare_exchange_strong(&x, &v, 7); }
    int store(int v) { atomic_int x[4]; atomic_store(&x[v & 3], v); return x[1]; }
    int weak(int v) { atomic_int x[4]; atomic_store_explicit(&x[v & 3], v, memory_order_release); return x[1]; })code");
  for (const char* name : {"add", "cas", "store"}) {
    EXPECT_EQ(count(ir.function(name), kInPlace), 1u) << ir.function(name);
    EXPECT_EQ(count(ir.function(name), "@__plait_atomic_"), 0u) << ir.function(name);
  }
  EXPECT_EQ(hooks(ir.function("weak")), 0u) << ir.function("weak");
}

}  // namespace
}  // namespace plait::test
