// boost::lockfree::stack with a fixed pool: what was pushed comes out once.
// Its pops read `next` of nodes that others may be writing (a data race that boost accepts): races are left out.
// OPTIONS: --races off
// CHECK: verdict=safe
// OUTCOMES: "2 1" "1 2"
#include <boost/lockfree/stack.hpp>
#include <cstdio>
#include <thread>

boost::lockfree::stack<int, boost::lockfree::capacity<4>> stack;

int main() {
  std::thread other([] { stack.push(1); });
  stack.push(2);
  other.join();
  int first = 0, second = 0;
  stack.pop(first);
  stack.pop(second);
  std::printf("%d %d", first, second);
}
