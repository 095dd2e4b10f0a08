// More threads than Plait can number.
// CHECK: verdict=inconclusive
#include <pthread.h>

static void* other(void* unused) { return unused; }

int main(void) {
  for (int i = 0; i < 70; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, other, NULL)) return 1;
    pthread_join(thread, NULL);
  }
  return 0;
}
