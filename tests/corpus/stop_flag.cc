// A plain bool that ends a loop is a race; an atomic one is not.
// CHECK: verdict=bug kind=race
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <thread>

#ifdef FIXED
std::atomic<bool> stop{false};
#else
bool stop = false;
#endif

int main() {
  std::thread worker([] {
    while (!stop) std::this_thread::yield();
  });
  stop = true;
  worker.join();
}
