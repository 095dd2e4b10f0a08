// std::cout from two threads: whole insertions may come in any order.
// CHECK: verdict=safe
// OUTCOMES: "ab" "ba"
#include <iostream>
#include <thread>

int main() {
  std::thread other([] { std::cout << 'a' << std::flush; });
  std::cout << 'b' << std::flush;
  other.join();
}
