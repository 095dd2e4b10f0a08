// A call_once whose function throws is not done: the next one calls it again.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static std::atomic<int> calls;

static int call() {
  try {
    std::call_once(once, [] {
      if (++calls == 1) throw 7;
    });
  } catch (int thrown) {
    return thrown;
  }
  return 0;
}

int main() {
  int first = 0, second = 0;
  std::thread a([&] { first = call(); });
  std::thread b([&] { second = call(); });
  a.join();
  b.join();
  assert(calls == 2 && first + second == 7);
#ifndef FIXED
  assert(first == 7);  // @fails
#endif
  return 0;
}
