// boost::lockfree::queue (Michael and Scott) with a fixed pool: first in, first out.
// CHECK: verdict=safe
// OUTCOMES: "1 2" "2 1"
#include <boost/lockfree/queue.hpp>
#include <cstdio>
#include <thread>

boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;

int main() {
  std::thread other([] { queue.push(1); });
  queue.push(2);
  other.join();
  int first = 0, second = 0;
  queue.pop(first);
  queue.pop(second);
  std::printf("%d %d", first, second);
}
