// A message behind a relaxed flag: whoever sees the flag sees the message in every interleaving, but nothing orders
// the two accesses. A data race in C++, though no schedule puts them side by side.
// CHECK: verdict=bug kind=race line=@read|@write
// EXPLORERS: all
// CHECK-FIXED: verdict=safe
// MEMORY-MODELS: tso (under pso the assertion fails, too)
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kStore = std::memory_order_release, kLoad = std::memory_order_acquire;
#else
constexpr auto kStore = std::memory_order_relaxed, kLoad = std::memory_order_relaxed;
#endif

static int message;
static std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    message = 42;  // @write
    ready.store(true, kStore);
  });
  if (ready.load(kLoad)) assert(message == 42);  // @read
  writer.join();
}
