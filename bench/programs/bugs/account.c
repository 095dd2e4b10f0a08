// A transfer and a deposit, and a sum that is looked at in between. (SCTBench: account.)
#include "bugs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;
static atomic_int deposited, withdrawn;

static void* deposit(void* unused) {
  pthread_mutex_lock(&lock);
  balance += 5;
  pthread_mutex_unlock(&lock);
  deposited = 1;
  return unused;
}
static void* withdraw(void* unused) {
  pthread_mutex_lock(&lock);
  balance -= 3;
  pthread_mutex_unlock(&lock);
  withdrawn = 1;
  return unused;
}
static void* check(void* unused) {
  pthread_mutex_lock(&lock);
  if (deposited && !withdrawn) assert(balance == 15);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  start(check, 0);
  start(withdraw, 0);
  start(deposit, 0);
  join_all();
}
