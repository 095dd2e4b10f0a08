// A library that nobody here wrote: boost::lockfree::spsc_queue, one producer and one consumer.
// CHECK: verdict=safe
// OUTCOMES: "--" "-1" "1-" "12"
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdio>
#include <thread>

boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;

char pop() {
  int item;
  return queue.pop(item) ? static_cast<char>('0' + item) : '-';
}

int main() {
  std::thread producer([] {
    queue.push(1);
    queue.push(2);
  });
  const char first = pop(), second = pop();
  producer.join();
  std::printf("%c%c", first, second);
}
