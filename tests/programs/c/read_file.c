// Each run reads the same file from its start. The faulty version shares one stream without saying who reads first.
// ARGS: %S/data/words.txt
// EXPLORERS: all
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE* file;
static char mine[16], theirs[16];

static void next_word(char* word) {
  pthread_mutex_lock(&mutex);
  if (!fgets(word, 16, file)) word[0] = 0;
  word[strcspn(word, "\n")] = 0;
  pthread_mutex_unlock(&mutex);
}

static void* other(void* unused) {
  next_word(theirs);
  return unused;
}

int main(int argc, char** argv) {
  file = fopen(argc > 1 ? argv[1] : "", "r");
  assert(file);
  pthread_t thread;
#ifdef FIXED
  next_word(mine);
#endif
  pthread_create(&thread, NULL, other, NULL);
#ifndef FIXED
  next_word(mine);
#endif
  pthread_join(thread, NULL);
  fclose(file);
  assert(!strcmp(mine, "alpha") && !strcmp(theirs, "beta"));  // @assert
  return 0;
}
