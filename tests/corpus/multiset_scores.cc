// A high-score list: the smallest leaves when it is full.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <set>
#include <thread>

std::multiset<int> best{10, 20};
std::mutex mutex;

void score(int points) {
  std::lock_guard lock(mutex);
  best.insert(points);
  best.erase(best.begin());
}

int main() {
  std::thread a(score, 15), b(score, 30);
  a.join();
  b.join();
  assert(best.size() == 2 && *best.begin() == 20 && *best.rbegin() == 30);
}
