// A barrier for three with two threads: nobody ever leaves.
// CHECK: verdict=bug kind=deadlock line=@wait
// CHECK-FIXED: verdict=safe
#include <pthread.h>

static pthread_barrier_t barrier;

static void* arrive(void* unused) {
  pthread_barrier_wait(&barrier);  // @wait
  return unused;
}

int main(void) {
#ifdef FIXED
  pthread_barrier_init(&barrier, NULL, 2);
#else
  pthread_barrier_init(&barrier, NULL, 3);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, arrive, NULL);
  arrive(NULL);
  pthread_join(thread, NULL);
  return 0;
}
