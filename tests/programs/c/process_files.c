// Files that a run creates, writes, renames or removes are its own: threads see them, later runs and the user's folders do not.
// CHECK: verdict=bug kind=abort line=@seen
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* const name = "plait-test-file";

static void* creates(void* unused) {
  const int file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0640);
  assert(file >= 3 && write(file, "hello\n", 6) == 6);
  close(file);
  return unused;
}

static void* looks(void* unused) {
#ifndef FIXED
  if (access(name, F_OK) == 0) abort();  // @seen
#endif
  return unused;
}

int main() {
  struct stat status;
  assert(access(name, F_OK) != 0 && stat(name, &status) != 0);  // nothing is left of earlier runs
  pthread_t a, b;
  pthread_create(&a, NULL, looks, NULL);
  pthread_create(&b, NULL, creates, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef FIXED
  assert(stat(name, &status) == 0 && status.st_size == 6 && S_ISREG(status.st_mode) && !(status.st_mode & 007));
  FILE* file = fopen(name, "a+");
  fputs("world\n", file);
  rewind(file);
  char line[16];
  assert(fgets(line, sizeof line, file) && !strcmp(line, "hello\n"));
  assert(fgets(line, sizeof line, file) && !strcmp(line, "world\n"));
  assert(!fgets(line, sizeof line, file) && fclose(file) == 0);
  assert(rename(name, "plait-test-other") == 0 && access(name, F_OK) != 0);
  assert(unlink("plait-test-other") == 0 && unlink("plait-test-other") != 0);
  char pattern[] = "plait-test-XXXXXX";
  assert(mkstemp(pattern) >= 3);
#endif
  return 0;
}
