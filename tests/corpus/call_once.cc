// A resource that is opened by whoever comes first.
// CHECK: verdict=safe
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

std::once_flag flag;
std::unique_ptr<int> resource;
int opened;

int use() {
  std::call_once(flag, [] {
    resource = std::make_unique<int>(5);
    ++opened;
  });
  return *resource;
}

int main() {
  std::thread a([] { assert(use() == 5); }), b([] { assert(use() == 5); });
  assert(use() == 5);
  a.join();
  b.join();
  assert(opened == 1);
}
