// A synchronized pool resource feeds vectors of two threads.
// CHECK: verdict=safe
#include <cassert>
#include <memory_resource>
#include <thread>
#include <vector>

int main() {
  std::pmr::synchronized_pool_resource pool;
  auto work = [&](int first) {
    std::pmr::vector<int> numbers(&pool);
    for (int i = 0; i < 3; ++i) numbers.push_back(first + i);
    assert(numbers[2] == first + 2);
  };
  std::thread other(work, 10);
  work(20);
  other.join();
}
