// The first of several threads that finds it says where, and tells the others to stop.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

int main() {
  const std::vector<std::string> names{"ada", "grace", "alan", "grace"};
  std::atomic<int> found{-1};
  std::stop_source stop;
  auto search = [&](size_t from, size_t to) {
    for (size_t i = from; i < to && !stop.stop_requested(); ++i)
      if (names[i] == "grace") {
        int none = -1;
        if (found.compare_exchange_strong(none, static_cast<int>(i))) stop.request_stop();
      }
  };
  {
    std::jthread left(search, 0, 2), right(search, 2, 4);
  }
  assert(found == 1 || found == 3);
}
