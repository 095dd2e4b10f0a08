// Functions of libc that the runtime does not stand in for: what they are handed counts as written, by a thread whose state nobody knows any more.
// CHECK: verdict=bug kind=assertion line=@one
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_int choice, later;
static char text[32];
static char* line;
static size_t size;

static void* writes(void* unused) {
  const struct tm one = {.tm_year = 101, .tm_mday = 1}, two = {.tm_year = 102, .tm_mday = 1};
  strftime(text, sizeof text, "%Y", choice ? &one : &two);
  FILE* file = fmemopen(text, 4, "r");
  getline(&line, &size, file);
  fclose(file);
  const int seen = later;
#ifdef FIXED
  assert(line[3] == '1' || line[3] == '2');
  assert(seen == 0 || seen == 1);
#else
  assert(!(seen == 1 && line[3] == '1'));  // @one
#endif
  return unused;
}

static void* chooses(void* unused) {
  choice = 1;
  later = 1;
  return unused;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, chooses, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
