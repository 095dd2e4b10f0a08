// Overwrites where its caller's frame lies: whoever walks the stack then crashes, which must not hide the failure.
// CHECK: verdict=bug kind=assertion line=@fails
// OPTIONS: --races off
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag;
static void* volatile kept;

__attribute__((noinline)) static void smash(void) {
  uintptr_t volatile* frame = __builtin_frame_address(0);
  frame[0] = 0x12345678;  // the caller's frame pointer
  atomic_store(&flag, 1);
  assert(!flag);  // @fails
  for (;;) {
  }
}

__attribute__((noinline)) static void call(void) {
  kept = __builtin_frame_address(0);
  smash();
  kept = __builtin_frame_address(0);
}

static void* work(void* unused) {
  call();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  atomic_load(&flag);
  pthread_join(thread, 0);
}
