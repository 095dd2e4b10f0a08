// Threads that use files of their own do not get into each other's way: no more runs than the orders in which they take and give back numbers need.
// CHECK: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void* writes(void* name) {
  FILE* file = fopen(name, "w+");
  assert(file);
  fputs((const char*)name, file);
  rewind(file);
  assert(fgetc(file) == 'p');
  fclose(file);
  return NULL;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, NULL, writes, "plait-test-a");
  pthread_create(&b, NULL, writes, "plait-test-b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
