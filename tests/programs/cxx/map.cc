// std::map behind a mutex: both keys arrive, in either order of insertion.
// EXPLORERS: all
// CHECK: verdict=safe
// OUTCOMES: "1=2 2=1" "1=1 2=2"
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

std::mutex mutex;
std::map<int, int> order;

void insert(int key) {
  std::lock_guard lock(mutex);
  const int place = static_cast<int>(order.size()) + 1;
  order.emplace(key, place);
}

int main() {
  std::thread other(insert, 1);
  insert(2);
  other.join();
  std::printf("1=%d 2=%d", order.at(1), order.at(2));
}
