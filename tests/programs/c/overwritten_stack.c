// Overwrites what its caller needs to go on: the story of the crash has no call stack, but there is one.
// CHECK: verdict=bug kind=assertion line=@fails
// OPTIONS: --races off
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

__attribute__((noinline)) static void smash(void) {
  void** frame = __builtin_frame_address(0);
  for (int i = 0; i < 2; ++i) __asm__ volatile("movq %1, (%0)" : : "r"(frame + i), "r"(0x1234567812345678) : "memory");
  atomic_store(&flag, 1);
  assert(!flag);  // @fails
  for (;;) {
  }
}

static void* work(void* unused) {
  smash();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  atomic_load(&flag);
  pthread_join(thread, 0);
}
