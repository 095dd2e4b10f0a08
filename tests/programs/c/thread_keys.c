// pthread_key_t: a value per thread, and the destructor runs in the thread that ends.
// CHECK: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void* value) {
  destroyed += *(int*)value;
  free(value);
}

static void* other(void* argument) {
  assert(pthread_getspecific(key) == NULL);
  int* value = malloc(sizeof *value);
  *value = argument ? 1 : 10;
  pthread_setspecific(key, value);
  assert(pthread_getspecific(key) == value);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t first, second;
  pthread_create(&first, NULL, other, NULL);
  pthread_create(&second, NULL, other, &first);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(destroyed == 11);
  assert(pthread_getspecific(key) == NULL);
  pthread_key_delete(key);
  return 0;
}
