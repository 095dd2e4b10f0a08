// N threads insert four keys each into one hash table; up to 11 threads no two keys collide.
#include "classic.h"

enum { kSize = 128, kKeys = 4 };

static atomic_int table[kSize];

static void* inserter(void* argument) {
  const int me = number_of(argument);
  for (int key = 1; key <= kKeys; ++key) {
    const int value = key * 11 + me;
    int place = value * 7 % kSize;
    while (!cas(&table[place], 0, value)) place = (place + 1) % kSize;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) start(threads[i], inserter, i);
  for (int i = 0; i < N; ++i) finish(threads[i]);
  return 0;
}
