// std::atomic_load and atomic_store of a shared_ptr, as before C++20.
// CHECK: verdict=safe
// FLAGS: -Wno-deprecated-declarations
#include <cassert>
#include <memory>
#include <thread>

std::shared_ptr<int> value = std::make_shared<int>(1);

int main() {
  std::thread writer([] { std::atomic_store(&value, std::make_shared<int>(2)); });
  std::thread reader([] {
    auto seen = std::atomic_load(&value);
    assert(*seen == 1 || *seen == 2);
  });
  writer.join();
  reader.join();
  assert(*value == 2);
}
