// std::atomic::wait and notify_one. Faulty: the value is changed but nobody is told.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage;

int main() {
  std::thread other([] {
    stage = 1;
#ifdef FIXED
    stage.notify_one();
#endif
  });
  stage.wait(0);
  assert(stage == 1);
  other.join();
}
