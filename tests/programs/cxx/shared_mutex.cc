// std::shared_mutex: readers see both halves of a write, or none. Faulty: the writer takes the shared side.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int low, high;

int main() {
  std::thread writer([] {
#ifdef FIXED
    std::unique_lock lock(mutex);
#else
    std::shared_lock lock(mutex);
#endif
    low = 1;
    high = 1;
  });
  {
    std::shared_lock lock(mutex);
    assert(low == high);
  }
  writer.join();
}
