// A polymorphic allocator whose resource is shared behind a mutex.
// CHECK: verdict=safe
#include <cassert>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

char storage[4096];
std::pmr::monotonic_buffer_resource arena(storage, sizeof storage);
std::pmr::vector<std::pmr::string> names(&arena);
std::mutex mutex;

int main() {
  auto add = [](const char* name) {
    std::lock_guard lock(mutex);
    names.emplace_back(name);
  };
  std::thread a(add, "a name that is longer than the small buffer"), b(add, "b");
  a.join();
  b.join();
  assert(names.size() == 2);
}
