// std::barrier with a completion function. libstdc++'s barrier takes dozens of steps per phase: far too many
// interleavings to run them all, few behaviours.
// CHECK: verdict=safe
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

std::atomic<int> arrived, completed;

int main() {
  std::barrier barrier(2, []() noexcept {
    assert(arrived == 2);
    ++completed;
  });
  std::thread other([&] {
    ++arrived;
    barrier.arrive_and_wait();
    assert(completed == 1);
  });
  ++arrived;
  barrier.arrive_and_wait();
  assert(completed == 1);
  other.join();
}
