// `if` in place of `while` around a wait: two consumers, one item.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::vector<int> items;
std::mutex mutex;
std::condition_variable filled;

void consume() {
  std::unique_lock lock(mutex);
#ifdef FIXED
  while (items.empty()) filled.wait(lock);
#else
  if (items.empty()) filled.wait(lock);
#endif
  assert(!items.empty());
  items.pop_back();
}

int main() {
  std::thread a(consume), b(consume);
  for (int i = 0; i < 2; ++i) {
    std::lock_guard lock(mutex);
    items.push_back(i);
    filled.notify_all();
  }
  a.join();
  b.join();
}
