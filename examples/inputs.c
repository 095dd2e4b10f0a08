// A shop with two counters. How many are in stock, and how many each customer wants, are inputs: a check is about all of
// them.
//
//   plait check examples/inputs.c
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stock, sold;

static void* counter(void* unused) {
  int wanted = (int)plait_input_range(1, 100, "wanted");
  if (wanted <= stock - sold) sold += wanted;  // between the test and the sale the other one sells, too
  return unused;
}

int main(void) {
  stock = (int)plait_input_range(0, 1000, "stock");
  pthread_t other;
  pthread_create(&other, NULL, counter, NULL);
  counter(NULL);
  pthread_join(other, NULL);
  assert(sold <= stock);
  return 0;
}
