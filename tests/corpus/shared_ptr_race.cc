// One shared_ptr object is read and assigned without a lock: its counter is atomic, the pointer is not.
// CHECK: verdict=bug kind=race|use-after-free
// CHECK-FIXED: verdict=safe
#include <memory>
#include <mutex>
#include <thread>

std::shared_ptr<int> current = std::make_shared<int>(1);
std::mutex mutex;

int main() {
  std::thread writer([] {
    auto next = std::make_shared<int>(2);
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    current = next;
  });
  std::thread reader([] {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    std::shared_ptr<int> copy = current;
    if (*copy == 0) std::terminate();
  });
  writer.join();
  reader.join();
}
