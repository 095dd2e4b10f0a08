// What a release store has handed on, read-modify-writes of other threads go on handing on, relaxed ones, too; a
// relaxed store does not.
// CHECK: verdict=bug kind=race
// EXPLORERS: all
// CHECK-FIXED: verdict=safe
// MEMORY-MODELS: tso pso
#include <atomic>
#include <thread>

static int message;
static std::atomic<int> ready{0};

int main() {
  std::thread writer([] {
    message = 42;
    ready.store(1, std::memory_order_release);
  });
  std::thread middle([] {
#ifdef FIXED
    int expected = 1;
    ready.compare_exchange_strong(expected, 2, std::memory_order_relaxed);
#else
    if (ready.load(std::memory_order_relaxed) == 1) ready.store(2, std::memory_order_relaxed);
#endif
  });
  if (ready.load(std::memory_order_acquire) == 2) message = 43;
  writer.join();
  middle.join();
}
