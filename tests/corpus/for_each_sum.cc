// Standard algorithms in threads: for_each, transform, accumulate, find_if.
// CHECK: verdict=safe
#include <algorithm>
#include <atomic>
#include <cassert>
#include <numeric>
#include <thread>
#include <vector>

int main() {
  std::vector<int> in{1, 2, 3, 4}, out(4);
  std::atomic<int> big{0};
  std::thread a([&] { std::transform(in.begin(), in.end(), out.begin(), [](int x) { return x * x; }); });
  std::thread b([&] {
    std::for_each(in.begin(), in.end(), [&](int x) {
      if (x > 2) ++big;
    });
  });
  a.join();
  b.join();
  assert(std::accumulate(out.begin(), out.end(), 0) == 30 && big == 2);
}
