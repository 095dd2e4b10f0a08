// boost::lockfree::stack, fixed size: one thread pushes, another pops once; the element is taken or still there.
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::stack<int, boost::lockfree::capacity<2>> stack;
  int taken = 0;
  std::thread consumer([&] { stack.pop(taken); });
  assert(stack.push(7));
  consumer.join();
  int rest = 0;
  bool left = stack.pop(rest);
  assert(left ? rest == 7 && taken == 0 : taken == 7);
#ifdef WRONG  // holds in some schedules only
  assert(!left);
#endif
}
