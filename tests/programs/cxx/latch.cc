// std::latch: main passes when both have counted down. Faulty: it counts one too few.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

std::atomic<int> done;

int main() {
#ifdef FIXED
  std::latch latch(2);
#else
  std::latch latch(1);
#endif
  std::thread other([&] {
    ++done;
    latch.count_down();
  });
#ifdef FIXED
  latch.arrive_and_wait();
#else
  latch.count_down();
  latch.wait();
#endif
  assert(done == 1);  // @assert
  other.join();
}
