// boost::lockfree::queue (Michael and Scott) with a fixed pool: the consumer finds the first item, or nothing.
// CHECK: verdict=safe
// OUTCOMES: "none" "1"
#include <boost/lockfree/queue.hpp>
#include <cstdio>
#include <thread>

boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;

int main() {
  std::thread producer([] { queue.push(1); });
  int item = 0;
  const bool found = queue.pop(item);
  producer.join();
  if (found)
    std::printf("%d", item);
  else
    std::printf("none");
}
