// A deferred task runs where its result is asked for.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <thread>

int main() {
  const auto here = std::this_thread::get_id();
  auto later = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
  auto now = std::async(std::launch::async, [] { return std::this_thread::get_id(); });
  assert(later.get() == here && now.get() != here);
}
