// Names are registered once: std::set::insert says whether it was the first.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <mutex>
#include <set>
#include <string>
#include <thread>

std::set<std::string> names;
std::mutex mutex;
std::atomic<int> winners;

void claim(const char* name) {
  std::lock_guard lock(mutex);
  if (names.insert(name).second) ++winners;
}

int main() {
  std::thread a(claim, "plait"), b(claim, "plait"), c(claim, "other");
  a.join();
  b.join();
  c.join();
  assert(winners == 2);
}
