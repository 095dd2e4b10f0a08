// Account: benchmarks 1.2. Two deposits without the lock, two withdrawals with it.
#include "start.h"

static shared_int amount = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* deposit(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  amount = amount + 100;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

static void* withdraw(void* unused) {
  pthread_mutex_lock(&lock);
  amount = amount - 100;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {deposit, withdraw, deposit, withdraw};
  run_threads(routines, 4, NULL);
  const int final = amount;  // main's final read belongs to its history
  property(final == 100);
  return final == 1;
}
