// The number that open gives depends on what other threads have open. Each run begins with the same table.
// ARGS: %S/data/words.txt
// CHECK: verdict=bug kind=assertion line=@number
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char* path;

static void* opens(void* unused) {
#ifdef FIXED
  FILE* file = fopen(path, "r");
  assert(file && fgetc(file) == 'a');
  return unused;
#else
  assert(open(path, O_RDONLY) >= 3);
  return unused;
#endif
}

static void* opens_too(void* unused) {
  const int number = open(path, O_RDONLY);
#ifdef FIXED
  char first;
  assert(number >= 3 && read(number, &first, 1) == 1 && first == 'a' && close(number) == 0);
#else
  assert(number == 3);  // @number
#endif
  return unused;
}

int main(int argc, char** argv) {
  assert(argc == 2);
  path = argv[1];
  assert(fcntl(3, F_GETFD) < 0);  // nothing is left of earlier runs
  pthread_t a, b;
  pthread_create(&a, NULL, opens_too, NULL);
  pthread_create(&b, NULL, opens, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef FIXED
  assert(close(0) == 0);
  assert(open(path, O_RDONLY) == 0 && dup(0) >= 3);
#endif
  return 0;
}
