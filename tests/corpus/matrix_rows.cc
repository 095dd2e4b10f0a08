// Rows of a matrix are handed out by an atomic counter.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <numeric>
#include <thread>
#include <vector>

int main() {
  constexpr int kRows = 3;
  std::vector<std::vector<int>> matrix(kRows, std::vector<int>(4, 1));
  std::vector<int> sums(kRows);
  std::atomic<int> next{0};
  auto work = [&] {
    for (int row; (row = next.fetch_add(1)) < kRows;)
      sums[static_cast<size_t>(row)] = std::accumulate(matrix[row].begin(), matrix[row].end(), 0);
  };
  std::thread other(work);
  work();
  other.join();
  assert(std::accumulate(sums.begin(), sums.end(), 0) == 12);
}
