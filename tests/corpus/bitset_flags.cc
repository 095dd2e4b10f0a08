// Neighbouring bits of a std::bitset share a word, so two threads need a lock.
// CHECK: verdict=bug kind=race|assertion
// CHECK-FIXED: verdict=safe
#include <bitset>
#include <cassert>
#include <mutex>
#include <thread>

std::bitset<8> flags;
std::mutex mutex;

void set(int bit) {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  flags.set(bit);
}

int main() {
  std::thread a(set, 1), b(set, 2);
  a.join();
  b.join();
  assert(flags.count() == 2);
}
