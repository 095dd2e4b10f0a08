// A vector in a pool, behind a mutex.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
int main() {
  std::pmr::unsynchronized_pool_resource pool;
  std::mutex m;
  std::pmr::vector<std::pmr::string> v{&pool};
  auto add = [&](const char* s) {
    std::lock_guard g(m);
    v.emplace_back(s);
  };
  std::thread a(add, "a string that does not fit inside"), b(add, "another string that does not fit");
  a.join();
  b.join();
  assert(v.size() == 2);
}
