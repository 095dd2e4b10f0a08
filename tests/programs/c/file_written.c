// What one thread writes to a file another one reads through a descriptor of its own.
// CHECK: verdict=bug kind=assertion line=@early
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
// FLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void* writes(void* unused) {
  assert(write(file, "ab", 2) == 2);
  return unused;
}

int main() {
  file = memfd_create("words", 0);
  char path[64];
  sprintf(path, "/proc/self/fd/%d", file);
  FILE* other = fopen(path, "r");
  pthread_t thread;
  pthread_create(&thread, NULL, writes, NULL);
#ifdef FIXED
  pthread_join(thread, NULL);
#endif
  char read[4] = "";
  assert(fread(read, 1, 2, other) == 2);  // @early
  assert(read[0] == 'a' && read[1] == 'b');
#ifndef FIXED
  pthread_join(thread, NULL);
#endif
  return 0;
}
