// Bits of one word, set and cleared by different threads.
// CHECK: verdict=safe
#include <atomic>
#include <bit>
#include <cassert>
#include <thread>

enum Flag : unsigned { kDirty = 1, kLocked = 2, kDone = 4 };

int main() {
  std::atomic<unsigned> flags{kDirty};
  std::thread writer([&] {
    flags.fetch_and(~kDirty);
    flags.fetch_or(kDone);
  });
  const unsigned before = flags.fetch_or(kLocked);
  assert(!(before & kLocked));
  writer.join();
  assert(flags == (kLocked | kDone) && std::popcount(flags.load()) == 2);
}
