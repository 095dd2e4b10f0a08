// A sum in two halves with std::async.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> numbers{1, 2, 3, 4, 5, 6};
  auto sum = [&](int from, int to) { return std::accumulate(numbers.begin() + from, numbers.begin() + to, 0); };
  auto left = std::async(std::launch::async, sum, 0, 3);
  auto right = std::async(std::launch::async, sum, 3, 6);
  const int total = left.get() + right.get();
  assert(total == 21);
}
