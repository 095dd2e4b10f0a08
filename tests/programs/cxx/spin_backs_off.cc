// A lock that backs off: it waits longer after each attempt that failed, and yields in the end. How long makes no
// difference, so its loop needs no bound. Broken: the test and the set are two operations.
// OPTIONS: --races on
// CHECK: verdict=bug kind=race
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (loops without a bound)
#include <atomic>
#include <thread>

std::atomic<bool> held{false};
int counter;

void lock() {
  int delay = 1;
  unsigned tried = 0;
#ifdef FIXED
  while (held.exchange(true, std::memory_order_acquire)) {
#else
  while (held.load(std::memory_order_acquire)) {
#endif
    if (++tried > 20) {
      std::this_thread::yield();
    } else {
      for (int i = 0; i < delay; ++i) __builtin_ia32_pause();
      delay = delay < 1024 ? delay * 2 : 1024;
    }
  }
#ifndef FIXED
  held.store(true);
#endif
}

void work() {
  lock();
  ++counter;
  held.store(false, std::memory_order_release);
}

int main() {
  std::thread a(work), b(work);
  work();
  a.join();
  b.join();
  return counter - 3;
}
