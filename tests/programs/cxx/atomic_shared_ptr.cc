// std::atomic_load/store on shared_ptr: libstdc++ guards them with a pool of mutexes inside the library.
// CHECK: verdict=safe
// OUTCOMES: "1" "2"
// FLAGS: -Wno-deprecated-declarations
#include <cstdio>
#include <memory>
#include <thread>

std::shared_ptr<int> current = std::make_shared<int>(1);

int main() {
  auto next = std::make_shared<int>(2);
  std::thread other([&] { std::atomic_store(&current, next); });
  const int seen = *std::atomic_load(&current);
  other.join();
  std::printf("%d", seen);
}
