// thread_local objects: constructed in each thread that uses them, destroyed when it ends, before join returns.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> alive;

struct Cache {
  int hits = 0;
  Cache() { ++alive; }
  ~Cache() { --alive; }
};

thread_local Cache cache;

int main() {
  std::thread other([] {
    ++cache.hits;
    assert(cache.hits == 1);
  });
  ++cache.hits;
  assert(cache.hits == 1);
  other.join();
  assert(alive == 1);
}
