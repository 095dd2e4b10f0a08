// Readers keep the list that they have; writers replace it by a longer copy.
// CHECK: verdict=safe
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using List = std::vector<int>;

int main() {
  std::mutex mutex;
  auto current = std::make_shared<const List>(List{1});
  auto get = [&] {
    std::lock_guard lock(mutex);
    return current;
  };
  std::thread writer([&] {
    auto longer = std::make_shared<List>(*get());
    longer->push_back(2);
    std::lock_guard lock(mutex);
    current = std::move(longer);
  });
  auto seen = get();
  int sum = 0;
  for (int value : *seen) sum += value;
  writer.join();
  assert(sum == 1 || sum == 3);
  assert(get()->size() == 2);
}
