// A function-local static is constructed once, by whoever comes first; the other waits.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> constructed;

struct Service {
  int port;
  Service() : port(80) { ++constructed; }
};

Service& service() {
  static Service instance;
  return instance;
}

int main() {
  std::thread other([] { assert(service().port == 80); });
  assert(service().port == 80);
  other.join();
  assert(constructed == 1);
}
