// Two threads append to one std::string without a lock.
// CHECK: verdict=bug kind=race|assertion
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

std::string text;
std::mutex mutex;

void append(char c) {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  text.push_back(c);
}

int main() {
  std::thread a(append, 'a'), b(append, 'b');
  a.join();
  b.join();
  assert(text.size() == 2);
}
