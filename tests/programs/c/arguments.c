// Arguments of the program reach every run, and the program may change them without the next run noticing.
// ARGS: 3 "hello world"
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
// OUTCOMES-FIXED: "3 Hello world\n"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int sum;

static void* other(void* argument) {
  int n = atoi(argument);
#ifdef FIXED
  sum += n;
#else
  sum = sum + n;
#endif
  return NULL;
}

int main(int argc, char** argv) {
  assert(argc == 3 && !strcmp(argv[2], "hello world"));
  argv[2][0] = 'H';
  pthread_t thread;
  pthread_create(&thread, NULL, other, argv[1]);
  sum += 1;
  pthread_join(thread, NULL);
  assert(sum == 4);  // @assert
  printf("%s %s\n", argv[1], argv[2]);
  return 0;
}
