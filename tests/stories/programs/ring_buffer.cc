// A ring buffer of semaphores for one producer has two.
// says: read ring.slots[0] = 0
// says: write ring.slots[0] = 1 (was 0)
// says: sum == 3
// fix: a mutex around the slot and tail in put
#include <array>
#include <cassert>
#include <semaphore>
#include <thread>
struct Ring {
  std::array<int, 2> slots{};
  std::counting_semaphore<2> free{2}, used{0};
  unsigned head = 0, tail = 0;
  void put(int v) {
    free.acquire();
    slots[tail++ % 2] = v;
    used.release();
  }
  int get() {
    used.acquire();
    int v = slots[head++ % 2];
    free.release();
    return v;
  }
};
int main() {
  Ring ring;
  std::thread p1([&] { ring.put(1); });
  std::thread p2([&] { ring.put(2); });
  int sum = ring.get() + ring.get();
  p1.join();
  p2.join();
  assert(sum == 3);
}
