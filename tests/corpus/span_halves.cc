// Two threads work on two halves of an array by std::span.
// CHECK: verdict=safe
#include <cassert>
#include <span>
#include <thread>
#include <vector>

void double_all(std::span<int> part) {
  for (int& value : part) value *= 2;
}

int main() {
  std::vector<int> values{1, 2, 3, 4};
  std::span all(values);
  std::thread left(double_all, all.first(2)), right(double_all, all.last(2));
  left.join();
  right.join();
  assert(values[0] == 2 && values[3] == 8);
}
