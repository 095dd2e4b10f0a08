// Events sorted by time in a std::multimap; one is cancelled.
// CHECK: verdict=safe
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

std::multimap<int, char> events;
std::mutex mutex;

int main() {
  auto plan = [](int time, char what) {
    std::lock_guard lock(mutex);
    events.insert({time, what});
  };
  std::thread a(plan, 5, 'a'), b(plan, 5, 'b'), cancel([] {
    std::lock_guard lock(mutex);
    auto [first, last] = events.equal_range(5);
    if (first != last) events.erase(first);
  });
  a.join();
  b.join();
  cancel.join();
  assert(events.count(5) >= 1 && events.count(5) <= 2);
}
