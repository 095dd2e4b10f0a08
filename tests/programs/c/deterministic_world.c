// Time and randomness are the same in every run, so a recorded schedule always fits.
// CHECK: verdict=safe
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static atomic_int sum;

static void* other(void* unused) {
  // The number of steps depends on what the world says: any change would not fit the schedule.
  for (int i = rand() % 3; i >= 0; --i) sum++;
  return unused;
}

int main(void) {
  unsigned char bytes[4];
  assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  srand((unsigned)time(NULL) + bytes[0]);
  usleep(1500000);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec >= before.tv_sec + 1);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  for (int i = bytes[1] % 3; i >= 0; --i) sum++;
  pthread_join(thread, NULL);
  return 0;
}
