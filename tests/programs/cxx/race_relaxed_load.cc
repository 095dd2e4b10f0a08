// The store releases, but the load does not acquire; a fence behind it would.
// CHECK: verdict=bug kind=race
// EXPLORERS: all
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <thread>

static int message;
static std::atomic<int> ready{0};

int main() {
  std::thread writer([] {
    message = 42;
    ready.store(1, std::memory_order_release);
  });
  if (ready.load(std::memory_order_relaxed)) {
#ifdef FIXED
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    assert(message == 42);
  }
  writer.join();
}
