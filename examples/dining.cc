// Three philosophers, three forks. Everybody takes the left fork first: all may hold one and wait for the other.
//
//   plait check examples/dining.cc                           finds the deadlock
//   plait check --cflags -DORDERED examples/dining.cc        safe: the last one takes the right fork first
#include <algorithm>
#include <mutex>
#include <thread>

constexpr int kForks = 3;
std::mutex forks[kForks];

void dine(int seat) {
  int first = seat, second = (seat + 1) % kForks;
#ifdef ORDERED
  if (first > second) std::swap(first, second);
#endif
  std::lock_guard one(forks[first]);
  std::lock_guard other(forks[second]);
}

int main() {
  std::thread one(dine, 1), two(dine, 2);
  dine(0);
  one.join();
  two.join();
}
