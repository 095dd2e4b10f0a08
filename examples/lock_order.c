// Two transfers in opposite directions take the same two locks in opposite order: AB/BA deadlock.
//
//   plait check examples/lock_order.c                            finds the deadlock: who waits for what, held by whom
//   plait check --cflags -DORDERED examples/lock_order.c         safe
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t mutex;
  int balance;
};

static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account* from, struct account* to, int amount) {
#ifdef ORDERED
  // One order for everybody, whatever the direction: no cycle can form.
  struct account* first = from < to ? from : to;
  struct account* second = from < to ? to : from;
#else
  struct account* first = from;
  struct account* second = to;
#endif
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
}

static void* save(void* unused) {
  (void)unused;
  transfer(&checking, &savings, 30);
  return NULL;
}

int main(void) {
  pthread_t saver;
  pthread_create(&saver, NULL, save, NULL);
  transfer(&savings, &checking, 50);
  pthread_join(saver, NULL);
  assert(checking.balance == 120 && savings.balance == 80);
  return 0;
}
