// Without inlining: a value that nobody has set is a function's result, its argument, an index, an expected value.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// FLAGS: -Wno-uninitialized -Wno-sometimes-uninitialized -O0
// BUGS: 3
// OPTIONS: --keep-going --check uninitialised-read
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  int index, number;
  atomic_int count;
};
static int table[4];

static int number_of(struct object *object) {
  return object->number;  // @use
}

static void *by_index(void *argument) {
  struct object *object = argument;
  table[object->index] = 1;  // @use
  return NULL;
}

static void *by_count(void *argument) {
  struct object *object = argument;
  if (atomic_fetch_sub(&object->count, 1) == 1) free(object);  // @use
  return NULL;
}

static void *by_number(void *argument) {
  return number_of(argument) ? argument : NULL;
}

int main(void) {
  void *(*routines[])(void *) = {by_index, by_number, by_count};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) {
    struct object *object = malloc(sizeof *object);
#ifdef FIXED
    object->index = object->number = i;
    atomic_init(&object->count, 2);
#endif
    pthread_create(&threads[i], NULL, routines[i], object);
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
