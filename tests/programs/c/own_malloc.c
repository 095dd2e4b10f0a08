// A program with an allocator of its own, for all of it. Broken: the allocator does not lock.
// CHECK: verdict=bug kind=race|assertion
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char arena[4096];
static size_t used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* malloc(size_t size) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  void* memory = arena + used;
  used += (size + 15) & ~(size_t)15;
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
  return memory;
}
void free(void* memory) { (void)memory; }
void* calloc(size_t count, size_t size) {
  void* memory = malloc(count * size);
  return memset(memory, 0, count * size);
}

static int* theirs;

static void* other(void* unused) {
  theirs = malloc(sizeof *theirs);
  *theirs = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  int* mine = calloc(1, sizeof *mine);
  pthread_join(thread, NULL);
  assert(mine != theirs && *mine == 0 && *theirs == 1);
  free(mine);
  free(theirs);
  (void)mutex;
  return 0;
}
