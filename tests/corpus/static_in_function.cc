// A static of a function, which two threads want first; its constructor fails the first time.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

std::atomic<int> attempts{0};

struct Connection {
  int number;
  Connection() : number(++attempts) {
    if (number == 1) throw std::runtime_error("not yet");
  }
};

Connection& connection() {
  static Connection only;
  return only;
}

int main() {
  std::atomic<int> failed{0};
  auto use = [&] {
    try {
      assert(connection().number == 2);
    } catch (const std::runtime_error&) {
      ++failed;
    }
  };
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(failed == 1 && connection().number == 2);
}
