// A value is in a local variable whose address others have been given.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x, z;

__attribute__((noinline)) void fill(int* where) { where[1] = atomic_load(&x); }
__attribute__((noinline)) int get(const int* where) { return where[1]; }

static void* reader(void* unused) {
  int values[3] = {0, 0, 0};
  fill(values);
  atomic_load(&z);
  return (void*)(intptr_t)get(values);
}

static void* writer(void* unused) {
  atomic_store(&z, 0);
  for (int value = 1; value < 4; ++value) atomic_store(&x, value);
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
