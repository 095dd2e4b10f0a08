// Workers wait at a latch until everything is ready.
// CHECK: verdict=safe
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch ready(1), done(2);
  int config = 0, results[2] = {};
  auto work = [&](int i) {
    ready.wait();
    results[i] = config + i;
    done.count_down();
  };
  std::thread a(work, 0), b(work, 1);
  config = 10;
  ready.count_down();
  done.wait();
  assert(results[0] == 10 && results[1] == 11);
  a.join();
  b.join();
}
