// std::counting_semaphore as a signal. Faulty: two are taken, one is given.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <semaphore>
#include <thread>

std::counting_semaphore<4> items(0);
int value;

int main() {
  std::thread producer([] {
    value = 5;
#ifdef FIXED
    items.release(2);
#else
    items.release();
#endif
  });
  items.acquire();
  assert(value == 5);
  items.acquire();
  producer.join();
}
