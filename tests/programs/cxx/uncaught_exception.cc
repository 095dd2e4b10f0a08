// An exception that leaves the thread's function, in one of the two orders.
// CHECK: verdict=bug kind=uncaught-exception
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<bool> closed;

void use() {
  if (closed) throw std::runtime_error("closed");
}

int main() {
  std::thread other([] {
#ifdef FIXED
    try {
      use();
    } catch (const std::runtime_error&) {
    }
#else
    use();
#endif
  });
  closed = true;
  other.join();
}
