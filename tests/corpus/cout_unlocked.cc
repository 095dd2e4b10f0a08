// Threads may print without a lock: what they print is mixed, and that is all.
// CHECK: verdict=safe
#include <iostream>
#include <thread>

int main() {
  std::thread a([] { std::cout << "a" << 1 << '\n'; });
  std::thread b([] { std::cout << "b" << 2 << '\n'; });
  a.join();
  b.join();
}
