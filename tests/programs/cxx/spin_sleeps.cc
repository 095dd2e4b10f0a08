// A lock that sleeps between its attempts, longer each time. How long makes no difference, so its loop needs no bound,
// though sleep_for and nanosleep are handed the time in memory. Broken: the test and the set are two operations.
// CHECK: verdict=bug kind=race
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (loops without a bound)
#include <time.h>

#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> held{false};
int counter;

bool is_taken() {
#ifdef FIXED
  return held.exchange(true, std::memory_order_acquire);
#else
  if (held.load(std::memory_order_acquire)) return true;
  held.store(true);
  return false;
#endif
}

void lock() {
  for (unsigned tried = 0; is_taken(); ++tried) {
    if (tried < 4) {
      __builtin_ia32_pause();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(1u << (tried < 10 ? tried : 10)));
    }
  }
}

void work() {
  lock();
  ++counter;
  held.store(false, std::memory_order_release);
}

/// Gives up after some attempts.
bool wait_a_little() {
  for (int i = 0; i < 1000; ++i) {
    if (!held.load(std::memory_order_acquire)) return true;
    const timespec time = {0, 1000 * i};
    nanosleep(&time, nullptr);
  }
  return false;
}

int main() {
  std::thread a(work);
  wait_a_little();
  work();
  a.join();
  return counter - 2;
}
