// Atomics that need libatomic.
#include <stdio.h>

#include <atomic>

struct Triple {
  long a, b, c;
};
struct Pair {
  void* p;
  long n;
};
std::atomic<Triple> triple;
std::atomic<Pair> pair;
std::atomic<long double> number;

int main() {
  triple.store({1, 2, 3});
  Triple expected = triple.load(), other{7, 7, 7};
  const bool yes = triple.compare_exchange_strong(expected, {4, 5, 6}),
             no = triple.compare_exchange_strong(other, {0, 0, 0});
  const Triple old = triple.exchange({9, 9, 9});
  printf("%d %d %ld %ld %ld %ld\n", yes, no, expected.b, other.c, old.a, triple.load().b);
  Pair empty = pair.load(), full{&triple, 4};
  printf("%d %ld\n", pair.compare_exchange_strong(empty, full), pair.load().n);
  number = 2.5L;
  printf("%Lg\n", number.load());
}
