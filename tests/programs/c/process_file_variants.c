// pread, pwrite, getline and their relatives work on the files and positions that threads share.
// CHECK: verdict=bug kind=abort line=@written
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file;
static FILE* stream;

static void* writes(void* unused) {
  assert(pwrite(file, "x", 1, 1) == 1);
  return unused;
}

static void* reads(void* unused) {
  char c = 0;
  assert(pread(file, &c, 1, 1) == 1);
#ifndef FIXED
  if (c == 'x') abort();  // @written
#endif
  char* line = NULL;
  size_t capacity = 0;
  const ssize_t length = getline(&line, &capacity, stream);
  assert(length == 3 && capacity >= 4 && line[0] == 'a' && (line[1] == 'b' || line[1] == 'x') && line[2] == '\n');
  free(line);
  return unused;
}

int main() {
  file = open("plait-test-variants", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(file >= 3 && write(file, "ab\ncd\n", 6) == 6 && lseek64(file, 0, SEEK_CUR) == 6);
  stream = fopen("plait-test-variants", "r");
  pthread_t a, b;
  pthread_create(&a, NULL, reads, NULL);
  pthread_create(&b, NULL, writes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(getc_unlocked(stream) == 'c' && ftello(stream) == 4);
  return 0;
}
