// Two phases with a std::barrier between them.
// CHECK: verdict=safe
#include <barrier>
#include <cassert>
#include <thread>

int main() {
  int cells[2] = {1, 2}, next[2] = {};
  std::barrier sync(2);
  auto work = [&](int i) {
    next[i] = cells[1 - i];
    sync.arrive_and_wait();
    assert(next[0] == 2 && next[1] == 1);
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
}
