// Inline variables and static members, counted by all threads.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <thread>

struct Counter {
  static inline std::atomic<int> objects = 0;
  Counter() { ++objects; }
  Counter(const Counter&) { ++objects; }
  ~Counter() { --objects; }
};
inline thread_local int own = 0;

int main() {
  auto work = [] {
    Counter a, b = a;
    own += Counter::objects;
    assert(own >= 2);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(Counter::objects == 0 && own == 0);
}
