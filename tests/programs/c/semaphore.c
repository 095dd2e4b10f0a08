// A semaphore with one token too many lets both threads in.
// CHECK: verdict=bug kind=assertion line=@alone
// CHECK-FIXED: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t tokens;
static atomic_int inside;

static void visit(void) {
  sem_wait(&tokens);
  assert(++inside == 1);  // @alone
  --inside;
  sem_post(&tokens);
}

static void* other(void* unused) {
  visit();
  return unused;
}

int main(void) {
#ifdef FIXED
  sem_init(&tokens, 0, 1);
#else
  sem_init(&tokens, 0, 2);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  visit();
  pthread_join(thread, NULL);
  int left;
  sem_getvalue(&tokens, &left);
  assert(left >= 1);
  sem_destroy(&tokens);
  return 0;
}
