// An output stream without a lock.
// CHECK: verdict=bug kind=race|assertion|crash|heap-overflow|null-dereference
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

std::ostringstream out;
std::mutex mutex;

void say(char c) {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  out << c;
}

int main() {
  std::thread a(say, 'a'), b(say, 'b');
  a.join();
  b.join();
  assert(out.str().size() == 2);
}
