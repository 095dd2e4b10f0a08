// Producers and consumers wait on one condition: a signal for one kind wakes the other kind.
// says: (wakes T4)
// says: T2 waited then, but it woke T4
// fix: notify_all, or a condition for each kind
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
struct Channel {
  std::mutex m;
  std::condition_variable cv;
  std::deque<int> items;
  size_t capacity = 1;
  void put(int v) {
    std::unique_lock l(m);
    cv.wait(l, [&] { return items.size() < capacity; });
    items.push_back(v);
    cv.notify_one();
  }
  int take() {
    std::unique_lock l(m);
    cv.wait(l, [&] { return !items.empty(); });
    int v = items.front();
    items.pop_front();
    cv.notify_one();
    return v;
  }
};
int main() {
  Channel c;
  std::thread p1([&] { c.put(1); });
  std::thread p2([&] { c.put(2); });
  std::thread c1([&] { c.take(); });
  std::thread c2([&] { c.take(); });
  p1.join();
  p2.join();
  c1.join();
  c2.join();
}
