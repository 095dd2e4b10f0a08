// operator[] inserts: not under a shared lock.
// CHECK: verdict=bug kind=race|null-dereference
// CHECK-FIXED: verdict=safe
#include <map>
#include <shared_mutex>
#include <thread>

std::map<int, int> settings{{1, 10}};
std::shared_mutex mutex;

int look_up(int key) {
  std::shared_lock lock(mutex);
#ifdef FIXED
  auto found = settings.find(key);
  return found == settings.end() ? 0 : found->second;
#else
  return settings[key];
#endif
}

int main() {
  std::thread other([] { look_up(2); });
  look_up(3);
  other.join();
}
