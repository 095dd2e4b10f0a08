// std::atomic<std::shared_ptr>: readers and a writer without a mutex of their own.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};

int main() {
  std::thread writer([] { current.store(std::make_shared<int>(2)); });
  std::thread reader([] {
    std::shared_ptr<int> seen = current.load();
    assert(*seen == 1 || *seen == 2);
  });
  writer.join();
  reader.join();
  assert(*current.load() == 2);
}
