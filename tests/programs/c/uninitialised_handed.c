// A local is handed to a thread before it has a value.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct order {
  int kind;
  atomic_int size;
};
static atomic_int sum;

static void *work(void *argument) {
  struct order *order = argument;
  switch (atomic_load(&order->size)) {  // @use
    case 1: sum += 1; break;
    case 2: sum += 2; break;
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct order order;
#ifdef FIXED
  atomic_store(&order.size, 2);
#endif
  pthread_create(&thread, NULL, work, &order);
#ifndef FIXED
  atomic_store(&order.size, 2);
#endif
  pthread_join(thread, NULL);
}
