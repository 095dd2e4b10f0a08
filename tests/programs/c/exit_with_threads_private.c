// The thread that is cut off shares nothing, not even its first operation was seen.
// CHECK: verdict=safe
// NOTES: exit-with-threads
#include <pthread.h>

static int own[4];

static void* worker(void* unused) {
  for (int i = 0; i < 4; ++i) own[i] = i;
  return unused;
}

int main(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, worker, NULL);
}
