// Double-checked locking with a plain pointer.
// CHECK: verdict=bug kind=race
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

#ifdef FIXED
std::atomic<std::string*> instance{nullptr};
#else
std::string* instance = nullptr;
#endif
std::mutex mutex;

const std::string& get() {
  if (!instance) {
    std::lock_guard lock(mutex);
    if (!instance) instance = new std::string("the only one");
  }
  return *instance;
}

int main() {
  std::thread a([] { assert(get() == "the only one"); });
  assert(get().size() == 12);
  a.join();
  delete instance;
}
