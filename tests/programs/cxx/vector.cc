// std::vector grows while another thread reads through it.
// CHECK: verdict=bug kind=use-after-free|race|assertion|heap-overflow
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> numbers{1};

void lock() {
#ifdef FIXED
  mutex.lock();
#endif
}

void unlock() {
#ifdef FIXED
  mutex.unlock();
#endif
}

int main() {
  std::thread writer([] {
    lock();
    numbers.push_back(2);
    unlock();
  });
  lock();
  assert(numbers[0] == 1);
  unlock();
  writer.join();
  assert(numbers.size() == 2);
}
