// Nine values are read, then another operation comes, then they are used, or not: more than there are registers.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x[9], z;

static void* reader(void* unused) {
  long v[9];
  v[0] = atomic_load(&x[0]), v[1] = atomic_load(&x[1]), v[2] = atomic_load(&x[2]);
  v[3] = atomic_load(&x[3]), v[4] = atomic_load(&x[4]), v[5] = atomic_load(&x[5]);
  v[6] = atomic_load(&x[6]), v[7] = atomic_load(&x[7]), v[8] = atomic_load(&x[8]);
  if (atomic_load(&z) == 1) return (void*)(v[0] ^ v[1] ^ v[2] ^ v[3] ^ v[4] ^ v[5] ^ v[6] ^ v[7] ^ v[8]);  // never
  atomic_load(&z);
#ifdef USED
  return (void*)(v[0] + v[1] * 4 + v[2] * 16 + v[3] * 64 + v[4] * 256 + v[5] * 1024 + v[6] * 4096 + v[7] * 16384 +
                 v[8] * 65536);
#else
  return NULL;
#endif
}

static void* writer(void* unused) {
  atomic_store(&z, 0);
  for (int value = 1; value < 4; ++value) atomic_store(&x[WHICH], value);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  void* result;
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  pthread_join(threads[0], &result);
  pthread_join(threads[1], NULL);
  printf("%ld\n", (long)(intptr_t)result);
  return 0;
}
