// boost::lockfree::queue: two consumers of two elements; each gets one of them.
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::queue<int, boost::lockfree::capacity<3>> queue;
  assert(queue.push(1) && queue.push(2));
  int first = 0, second = 0;
  std::thread other([&] { assert(queue.pop(first)); });
  assert(queue.pop(second));
  other.join();
  assert(first + second == 3 && first != second);
#ifdef WRONG  // holds in some schedules only
  assert(second == 1);
#endif
}
