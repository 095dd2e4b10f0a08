// Threads parse texts of their own.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <sstream>
#include <string>
#include <thread>

std::atomic<int> total;

void add_up(const std::string& text) {
  std::istringstream in(text);
  int value;
  while (in >> value) total += value;
}

int main() {
  std::thread a(add_up, "1 2 3"), b(add_up, "10 20");
  a.join();
  b.join();
  assert(total == 36);
}
