// Two threads add each other's sums: only the fastest order reaches the largest value. (SV-COMP: fib_bench, unsafe.)
#include "bugs.h"

#ifndef N
#define N 5
#endif
static atomic_int i = 1, j = 1;

static void* left(void* unused) {
  for (int k = 0; k < N; ++k) i = i + j;
  return unused;
}
static void* right(void* unused) {
  for (int k = 0; k < N; ++k) j = j + i;
  return unused;
}

int main(void) {
  start(left, 0);
  start(right, 0);
  join_all();
  int a = 1, b = 1;
  for (int k = 0; k < N; ++k) {
    a += b;
    b += a;
  }
  assert(i < b && j < b);
}
