// One asynchronous call of each policy.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <future>
#include <numeric>
#include <thread>
#include <vector>
int main() {
  std::vector<int> v{1, 2, 3, 4};
  auto f = std::async(std::launch::async, [&] { return std::accumulate(v.begin(), v.begin() + 2, 0); });
  auto g = std::async(std::launch::deferred, [&] { return std::accumulate(v.begin() + 2, v.end(), 0); });
  auto h = std::async([&] { return 1; });
  assert(f.get() + g.get() + h.get() == 11);
}
