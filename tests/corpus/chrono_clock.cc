// Time does not go backwards in a thread, and durations convert.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  using namespace std::chrono;
  auto measure = [] {
    const auto begin = steady_clock::now();
    std::this_thread::sleep_for(milliseconds(20));
    const auto end = steady_clock::now();
    assert(end - begin >= milliseconds(20));
    assert(duration_cast<seconds>(minutes(2)).count() == 120);
  };
  std::thread a(measure), b(measure);
  a.join();
  b.join();
}
