// Globals, large arrays, heap and static locals start every run as the first.
// EXPLORE: exhaustive
// CHECK: verdict=safe
// INTERLEAVINGS: 20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int shared;
static int small = 7;
static char large[200000];

static int calls(void) {
  static int count;
  return ++count;
}

static void* other(void* unused) {
  shared++;
  shared++;
  shared++;
  return unused;
}

int main(void) {
  assert(small == 7 && calls() == 1 && shared == 0);
  for (int i = 0; i < 3; ++i) assert(large[i * 70000] == 0);
  small = 8;
  memset(large, 1, sizeof large);
  char* block = malloc(64);
  memset(block, 2, 64);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  shared++;
  shared++;
  shared++;
  pthread_join(thread, NULL);
  assert(shared == 6);
  free(block);
  return 0;
}
