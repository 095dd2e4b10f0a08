// A struct is published before its flag is set: one schedule reads a flag that was never written. Everything is atomic, so it is no race.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct task {
  atomic_int flag;
};
static _Atomic(struct task *) shared;
static atomic_int done;

static void *consumer(void *unused) {
  (void)unused;
  struct task *task = atomic_load(&shared);
  if (task && atomic_load(&task->flag))  // @use
    atomic_store(&done, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, consumer, NULL);
  struct task *task = malloc(sizeof *task);
#ifdef FIXED
  atomic_store(&task->flag, 1);
  atomic_store(&shared, task);
#else
  atomic_store(&shared, task);
  atomic_store(&task->flag, 1);
#endif
  pthread_join(thread, NULL);
  free(task);
}
