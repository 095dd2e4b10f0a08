// Each thread has a slot of a std::array: no lock is needed.
// CHECK: verdict=safe
#include <array>
#include <cassert>
#include <thread>

std::array<int, 4> slots{};

int main() {
  auto fill = [](int i) { slots.at(i) = 10 * i; };
  std::thread a(fill, 0), b(fill, 1), c(fill, 2), d(fill, 3);
  a.join();
  b.join();
  c.join();
  d.join();
  assert(slots[1] + slots[2] + slots[3] == 60);
}
