// A free list made of std::forward_list.
// CHECK: verdict=safe
#include <cassert>
#include <forward_list>
#include <iterator>
#include <mutex>
#include <thread>

std::forward_list<int> free_slots{1, 2, 3};
std::mutex mutex;

int main() {
  auto take_and_return = [] {
    int slot;
    {
      std::lock_guard lock(mutex);
      slot = free_slots.front();
      free_slots.pop_front();
    }
    assert(slot >= 1 && slot <= 3);
    std::lock_guard lock(mutex);
    free_slots.push_front(slot);
  };
  std::thread a(take_and_return), b(take_and_return);
  a.join();
  b.join();
  assert(std::distance(free_slots.begin(), free_slots.end()) == 3);
}
