// TBB's concurrent_queue.
#include <tbb/concurrent_queue.h>

#include <cassert>
#include <thread>

int main() {
  tbb::concurrent_queue<int> queue;
  int taken = 0;
  std::thread consumer([&] { queue.try_pop(taken); });
  queue.push(7);
  consumer.join();
  int rest = 0;
  bool left = queue.try_pop(rest);
  assert(left ? rest == 7 && taken == 0 : taken == 7);
#ifdef WRONG  // holds in some schedules only
  assert(!left);
#endif
}
