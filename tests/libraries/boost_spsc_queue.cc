// boost::lockfree::spsc_queue: one producer, one consumer; in order, whatever the consumer sees.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  std::thread producer([&] {
    int sent = 0;
    for (int i = 1; i <= 3; ++i) sent += queue.push(i);
    assert(sent >= 2);
  });
  int last = 0;
  for (int i = 0; i < 3; ++i)
    if (int value; queue.pop(value)) {
      assert(value > last);
      last = value;
    }
#ifdef WRONG  // holds in some schedules only
  assert(last == 0);
#endif
  producer.join();
  for (int value; queue.pop(value); last = value) assert(value > last);
  assert(last >= 2);
}
