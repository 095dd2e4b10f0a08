// Through structs, arrays, memcpy, parts of larger values, arguments and results.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// INPUTS: explored
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);

struct record {
  short kind;
  unsigned char bytes[6];
  long sum;
};

static struct record last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static long sum_of(struct record* r, int more) { return r->bytes[2] + more; }

static struct record filled(int more) {
  struct record made = {.kind = 4};
  made.bytes[2] = __VERIFIER_nondet_uchar();
  made.sum = sum_of(&made, more);
  return made;
}

static void* writer(void* unused) {
  struct record* copy = malloc(sizeof *copy);
  struct record local = filled(__VERIFIER_nondet_int());
  memcpy(copy, &local, sizeof local);
  pthread_mutex_lock(&lock);
  memmove(&last, copy, sizeof last);
  pthread_mutex_unlock(&lock);
  free(copy);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pthread_mutex_lock(&lock);
  unsigned word;
  memcpy(&word, &last.bytes, sizeof word);
  long sum = last.sum;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  // The third byte of the array, and the int with it.
#ifdef FIXED
  assert(!(word == 0x5a0000 && sum == 0x80000000L + 0x5a));
#else
  assert(!(word == 0x5a0000 && sum == -1));  // @fails
#endif
  return 0;
}
