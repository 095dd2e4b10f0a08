// Tries the lock a hundred times, each time a little later, before it waits for it. Broken: goes on without it.
// OPTIONS: --races on
// CHECK: verdict=bug kind=race|lock-misuse
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (a hundred turns as they are written)
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

bool spin() {
  for (int delay = 1; delay <= 1 << 20; delay *= 2) {
    if (mutex.try_lock()) return true;
    __builtin_ia32_pause();
  }
  return false;
}

void work() {
  const bool got = spin();
#ifdef FIXED
  if (!got) mutex.lock();
#endif
  ++counter;
  if (got) mutex.unlock();
#ifdef FIXED
  if (!got) mutex.unlock();
#endif
}

int main() {
  std::thread a(work);
  work();
  a.join();
  return counter - 2;
}
