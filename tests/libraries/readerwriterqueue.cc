// moodycamel::ReaderWriterQueue: one producer, one consumer; in order.
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::ReaderWriterQueue<int> queue(2);
  std::thread producer([&] { assert(queue.try_enqueue(1) && queue.try_enqueue(2)); });
  int last = 0;
  for (int i = 0; i < 2; ++i)
    if (int value; queue.try_dequeue(value)) {
      assert(value == last + 1);
      last = value;
    }
#ifdef WRONG  // holds in some schedules only
  assert(last == 0);
#endif
  producer.join();
  for (int value; queue.try_dequeue(value); last = value) assert(value == last + 1);
  assert(last == 2);
}
