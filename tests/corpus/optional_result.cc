// A result that may be missing.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <optional>
#include <thread>

std::optional<int> result;
std::mutex mutex;

int main() {
  std::thread finder([] {
    std::lock_guard lock(mutex);
    if (!result) result = 3;
  });
  std::thread other([] {
    std::lock_guard lock(mutex);
    if (!result) result = 4;
  });
  finder.join();
  other.join();
  assert(result.has_value() && (*result == 3 || *result == 4));
}
