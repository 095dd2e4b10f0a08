// std::latch: main passes when the worker is done. Faulty: the worker counts down before it does its work.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

std::atomic<int> done;

int main() {
  std::latch latch(1);
  std::thread other([&] {
#ifdef FIXED
    ++done;
    latch.count_down();
#else
    latch.count_down();
    ++done;
#endif
  });
  latch.wait();
  assert(done == 1);  // @assert
  other.join();
}
