// A deque used from both ends by three threads.
// CHECK: verdict=safe
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

int main() {
  std::deque<int> deque;
  std::mutex mutex;
  std::thread front([&] {
    std::lock_guard lock(mutex);
    deque.push_front(1);
  });
  std::thread back([&] {
    std::lock_guard lock(mutex);
    deque.push_back(2);
  });
  std::thread eraser([&] {
    std::lock_guard lock(mutex);
    if (!deque.empty()) deque.pop_front();
  });
  front.join();
  back.join();
  eraser.join();
  assert(deque.size() == 1 || deque.size() == 2);
}
