// A client that tries again, waiting longer each time, until its server is up.
// CHECK: verdict=safe
#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> up{false};
int port = 0;

bool connect() { return up.load(std::memory_order_acquire); }

int main() {
  std::thread server([] {
    port = 8080;
    up.store(true, std::memory_order_release);
  });
  auto pause = std::chrono::milliseconds(1);
  while (!connect()) {
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(64));
  }
  assert(port == 8080);
  server.join();
}
